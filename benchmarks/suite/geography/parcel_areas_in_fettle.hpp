// parcel_areas in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "parcel_areas.hpp"

namespace suite {
template <>
struct fettle_expression<parcel_areas> {
  template <typename Row>
  struct term {
    Row corners;
    FETTLE_HOST_DEVICE std::int64_t operator()(ndp::index_t i) const {
      const ndp::index_t next = i + 1 < corners.size() ? i + 1 : 0;
      return parcel_areas::cross(corners[i], corners[next]);
    }
  };
  struct of_row {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& corners) const {
      return ndp::reduce(ndp::plus{}, ndp::map(term<Row>{corners}, ndp::range(0, corners.size())),
                         std::int64_t{0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const parcel_areas::corner> p,
                  view<const index> offsets, view<std::int64_t> y) {
    const auto rows = ndp::nest(sequence_of(p), sequence_of(offsets));
    ndp::execute<"parcel_areas">(ndp::map(of_row{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
