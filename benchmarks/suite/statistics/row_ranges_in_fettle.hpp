// row_ranges in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "row_ranges.hpp"

namespace suite {

template <>
struct fettle_expression<row_ranges> {
  using range = row_ranges::range;

  struct range_of_one {
    FETTLE_HOST_DEVICE range operator()(float x) const { return {x, x}; }
  };
  struct unite_all {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(row_ranges::unite{}, ndp::map(range_of_one{}, row), range{3e38f, -3e38f});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const index> offsets,
                  view<range> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"row_ranges">(ndp::map(unite_all{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
