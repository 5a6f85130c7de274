// block_sparse_product in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "block_sparse_product.hpp"

namespace suite {

template <>
struct fettle_expression<block_sparse_product> {
  using block = block_sparse_product::block;
  using vector = block_sparse_product::vector;

  struct multiply {
    FETTLE_HOST_DEVICE vector operator()(const block& a, const vector& x) const {
      vector y{};
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) y.at[i] += a.at[i][j] * x.at[j];
      }
      return y;
    }
  };
  struct product {
    ndp::sequence<const vector> x;
    template <typename Row, typename Columns>
    FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
      return ndp::reduce(block_sparse_product::add{},
                         ndp::map(multiply{}, row, ndp::gather(x, columns)), vector{});
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const block> a, view<const index> column,
                  view<const index> offsets, view<const vector> x, view<vector> y) {
    const auto rows = ndp::nest(sequence_of(a), sequence_of(offsets));
    const auto columns = ndp::nest(sequence_of(column), sequence_of(offsets));
    ndp::execute<"block_sparse_product">(ndp::map(product{sequence_of(x)}, rows, columns),
                                         sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
