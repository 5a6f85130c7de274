// discounted_revenue in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "discounted_revenue.hpp"

namespace suite {
template <>
struct fettle_expression<discounted_revenue> {
  struct revenue {
    FETTLE_HOST_DEVICE double operator()(double price, float discount,
                                         std::uint8_t quantity) const {
      return discounted_revenue::revenue(price, discount, quantity);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const double> price, view<const float> discount,
                  view<const std::uint8_t> quantity, view<double> y) {
    const auto all =
        ndp::map(revenue{}, sequence_of(price), sequence_of(discount), sequence_of(quantity));
    ndp::execute<"discounted_revenue">(ndp::reduce(ndp::plus{}, all, 0.0), sequence_of(y),
                                       platform_of(on));
  }
};

}  // namespace suite
