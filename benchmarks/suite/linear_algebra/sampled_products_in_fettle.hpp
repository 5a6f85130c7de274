// sampled_products in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "sampled_products.hpp"

namespace suite {

template <>
struct fettle_expression<sampled_products> {
  struct dot {
    ndp::sequence<const float> u;
    ndp::sequence<const float> v;
    FETTLE_HOST_DEVICE auto operator()(index row, index column) const {
      constexpr index width = sampled_products::width;
      return ndp::reduce(ndp::plus{},
                         ndp::map(ndp::multiplies{}, ndp::subsequence(u, row * width, width),
                                  ndp::subsequence(v, column * width, width)),
                         0.0f);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const index> row, view<const index> column,
                  view<const float> u, view<const float> v, view<float> y) {
    ndp::execute<"sampled_products">(
        ndp::map(dot{sequence_of(u), sequence_of(v)}, sequence_of(row), sequence_of(column)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
