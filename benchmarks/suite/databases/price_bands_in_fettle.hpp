// price_bands in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "price_bands.hpp"

namespace suite {
template <>
struct fettle_expression<price_bands> {
  struct band {
    view<const double> bounds;
    FETTLE_HOST_DEVICE std::uint8_t operator()(double price) const {
      index first = 0;
      index count = bounds.size();
      while (count > 0) {
        const index half = count / 2;
        const bool below = bounds[first + half] <= price;
        first = below ? first + half + 1 : first;
        count = below ? count - half - 1 : half;
      }
      return static_cast<std::uint8_t>(first);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const double> price, view<const double> bounds,
                  view<std::uint8_t> y) {
    ndp::execute<"price_bands">(ndp::map(band{bounds}, sequence_of(price)), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
