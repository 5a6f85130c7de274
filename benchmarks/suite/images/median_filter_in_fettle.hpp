// median_filter in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "median_filter.hpp"

namespace suite {

template <>
struct fettle_expression<median_filter> {
  struct median_at {
    view<const std::uint8_t> x;
    index rows;
    index columns;
    FETTLE_HOST_DEVICE std::uint8_t operator()(const ndp::tuple<index, index>& at) const {
      return median_filter::at(x, rows, columns, ndp::get<0>(at), ndp::get<1>(at));
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> x, index rows, index columns,
                  view<std::uint8_t> y) {
    ndp::execute<"median_filter">(ndp::map(median_at{x, rows, columns},
                                           ndp::join(ndp::range(0, rows), ndp::range(0, columns))),
                                  sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
