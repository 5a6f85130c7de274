// autocorrelation in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "autocorrelation.hpp"

namespace suite {
template <>
struct fettle_expression<autocorrelation> {
  struct product {
    FETTLE_HOST_DEVICE double operator()(float a, float b) const { return double(a) * double(b); }
  };
  struct lagged {
    ndp::sequence<const float> x;
    index n;
    FETTLE_HOST_DEVICE auto operator()(index lag) const {
      return ndp::reduce(
          ndp::plus{}, ndp::map(product{}, ndp::subsequence(x, 0, n), ndp::subsequence(x, lag, n)),
          0.0);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, index n, view<double> y) {
    ndp::execute<"autocorrelation">(ndp::map(lagged{sequence_of(x), n}, ndp::range(0, y.size())),
                                    sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
