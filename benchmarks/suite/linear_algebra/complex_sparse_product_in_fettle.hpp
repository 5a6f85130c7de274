// complex_sparse_product in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "complex_sparse_product.hpp"

namespace suite {

template <>
struct fettle_expression<complex_sparse_product> {
  using complex = complex_sparse_product::complex;

  struct multiply {
    FETTLE_HOST_DEVICE complex operator()(const complex& a, const complex& b) const {
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
  };
  struct product {
    ndp::sequence<const complex> x;
    template <typename Row, typename Columns>
    FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
      return ndp::reduce(complex_sparse_product::add{},
                         ndp::map(multiply{}, row, ndp::gather(x, columns)), complex{0, 0});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const complex> a, view<const index> column,
                  view<const index> offsets, view<const complex> x, view<complex> y) {
    const auto rows = ndp::nest(sequence_of(a), sequence_of(offsets));
    const auto columns = ndp::nest(sequence_of(column), sequence_of(offsets));
    ndp::execute<"complex_sparse_product">(ndp::map(product{sequence_of(x)}, rows, columns),
                                           sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
