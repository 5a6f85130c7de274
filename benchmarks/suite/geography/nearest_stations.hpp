// nearest_stations: y[r] = which of the stations that row r lists is the nearest to place r on a
// sphere, the one of the least index where several are; -1 of an empty row.
//
// int, struct of 2 doubles (16 bytes) -> int; three sines and cosines an element. In Fettle: map >
// reduce(nearer) over a nest and the places, of map((station, index) -> (haversine, index),
// gather(stations, row), row); then the index.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct nearest_stations {
  struct place {
    double latitude;
    double longitude;
  };
  struct candidate {
    double distance;
    index station;
  };
  struct nearer {
    FETTLE_HOST_DEVICE candidate operator()(const candidate& a, const candidate& b) const {
      const bool takes_b =
          b.distance < a.distance || (b.distance == a.distance && b.station < a.station);
      return takes_b ? b : a;
    }
  };
  /// Grows with the distance on the sphere.
  FETTLE_HOST_DEVICE static double haversine(const place& a, const place& b) {
    const double up = std::sin(0.5 * (b.latitude - a.latitude));
    const double along = std::sin(0.5 * (b.longitude - a.longitude));
    return up * up + std::cos(a.latitude) * std::cos(b.latitude) * along * along;
  }

  static constexpr const char* name = "nearest_stations";
  static constexpr const char* types = "4 + 16 bytes";
  static constexpr family shapes = family::rows;
  using output = index;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const index count = offsets.back() / 4 + 1;
    const auto at = [](std::uint64_t seed) {
      return [=](std::uint64_t i) {
        return place{3 * fb::unit(i, seed) - 1.5, 6.28 * fb::unit(i, seed + 1)};
      };
    };
    return problem(rows_of(offsets), rows_of(offsets), integers<index>(offsets.back(), 1, count),
                   offsets, filled(count, at(2)), filled(rows_of(offsets), at(4)));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const index> listed, view<const index> offsets,
                                      view<const place> stations, view<const place> places,
                                      view<index> y) {
    candidate nearest{1e300, -1};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const index station = listed[k];
      nearest = nearer{}(nearest, {haversine(places[r], stations[station]), station});
    }
    y[r] = nearest.station;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const index> listed, view<const index> offsets,
                     view<const place> stations, view<const place> places, view<index> y) {
    a_warp_a_row(
        on.stream, offsets, candidate{1e300, -1},
        [=] __device__(index r, index k) {
          const index station = listed[k];
          return candidate{haversine(places[r], stations[station]), station};
        },
        nearer{}, [=] __device__(index r, const candidate& nearest) { y[r] = nearest.station; });
  }
#endif
};

}  // namespace suite
