// nearest_stations in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "nearest_stations.hpp"

namespace suite {
template <>
struct fettle_expression<nearest_stations> {
  using place = nearest_stations::place;
  using candidate = ndp::tuple<double, index>;

  struct nearer {
    static constexpr bool is_commutative = true;
    FETTLE_HOST_DEVICE candidate operator()(const candidate& a, const candidate& b) const {
      const auto& [distance_a, station_a] = a;
      const auto& [distance_b, station_b] = b;
      const bool takes_b =
          distance_b < distance_a || (distance_b == distance_a && station_b < station_a);
      return takes_b ? b : a;
    }
  };
  struct from {
    place here;
    FETTLE_HOST_DEVICE candidate operator()(const place& station, index number) const {
      return {nearest_stations::haversine(here, station), number};
    }
  };
  struct of_row {
    ndp::sequence<const place> stations;
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& listed, const place& here) const {
      return ndp::reduce(nearer{}, ndp::map(from{here}, ndp::gather(stations, listed), listed),
                         candidate{1e300, -1});
    }
  };
  struct number {
    FETTLE_HOST_DEVICE index operator()(const candidate& nearest) const {
      return ndp::get<1>(nearest);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> listed, view<const index> offsets,
                  view<const place> stations, view<const place> places, view<index> y) {
    const auto rows = ndp::nest(sequence_of(listed), sequence_of(offsets));
    const auto nearest = ndp::map(of_row{sequence_of(stations)}, rows, sequence_of(places));
    ndp::execute<"nearest_stations">(ndp::map(number{}, nearest), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
