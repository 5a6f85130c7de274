// weighted_windows in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "weighted_windows.hpp"

namespace suite {
template <>
struct fettle_expression<weighted_windows> {
  struct window_sum {
    ndp::sequence<const float> x;
    ndp::sequence<const float> c;
    FETTLE_HOST_DEVICE auto operator()(index i) const {
      return ndp::reduce(
          ndp::plus{},
          ndp::map(ndp::multiplies{}, c, ndp::subsequence(x, i, weighted_windows::width)), 0.0f);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const float> c, view<float> y) {
    ndp::execute<"weighted_windows">(
        ndp::map(window_sum{sequence_of(x), sequence_of(c)}, ndp::range(0, y.size())),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
