// chain_products in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "chain_products.hpp"

namespace suite {

template <>
struct fettle_expression<chain_products> {
  using matrix = chain_products::matrix;

  struct product {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(chain_products::multiply{}, row, chain_products::identity());
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const matrix> x, view<const index> offsets,
                  view<matrix> y) {
    const auto rows = ndp::nest(sequence_of(x), sequence_of(offsets));
    ndp::execute<"chain_products">(ndp::map(product{}, rows), sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
