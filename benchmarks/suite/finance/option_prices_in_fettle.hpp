// option_prices in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "option_prices.hpp"

namespace suite {
template <>
struct fettle_expression<option_prices> {
  struct call {
    FETTLE_HOST_DEVICE ndp::tuple<float, float> operator()(float spot, float strike,
                                                           float years) const {
      const auto value = option_prices::call(spot, strike, years);
      return {value.price, value.delta};
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> spot, view<const float> strike,
                  view<const float> years, view<float> y) {
    const index n = spot.size();
    const auto values = sequence_of(y);
    ndp::execute<"option_prices">(
        ndp::map(call{}, sequence_of(spot), sequence_of(strike), sequence_of(years)),
        ndp::zip(ndp::subsequence(values, 0, n), ndp::subsequence(values, n, n)), platform_of(on));
  }
};

}  // namespace suite
