// Cases of execute() for three levels: map > map > reduce, and a map over maps of maps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

template <typename Op, typename P>
struct inner_reduce {
  P seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(Op{}, row, seed);
  }
};

/// A matrix -> the sums of its rows.
template <typename Op, typename P>
struct sums_of_rows {
  P seed;

  template <typename Rows>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Rows& rows) const {
    return fettle::ndp::map(inner_reduce<Op, P>{seed}, rows);
  }
};

template <typename Op, typename T, typename P>
void check_matrices(P seed) {
  namespace ndp = fettle::ndp;
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<T> x = made_up<T>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    const auto row_count = static_cast<index_t>(shape.lengths.size());
    std::vector<P> expected;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      P sum = seed;
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        sum = Op{}(sum, x[static_cast<std::size_t>(k)]);
      }
      expected.push_back(sum);
    }
    // Matrices of 1, 2, 3, 1, 2, 3 ... rows.
    std::vector<index_t> matrices{0};
    while (matrices.back() < row_count) {
      const auto next = static_cast<index_t>(matrices.size() - 1) % 3 + 1;
      matrices.push_back(std::min(row_count, matrices.back() + next));
    }
    const data<T> in(x);
    const data<index_t> begins(offsets);
    const data<index_t> matrix_begins(matrices);
    const auto rows_in = ndp::nest(in.read(), begins.read());
    const auto e = ndp::map(sums_of_rows<Op, P>{seed}, ndp::nest(rows_in, matrix_begins.read()));
    for_each_realisation<decltype(e)>([&](const auto& run) {
      data<P> y = room_for<P>(row_count);
      run(e, ndp::nest(y.write(), matrix_begins.read()));
      REQUIRE(y.values() == with_margin(expected));
    });
    check_all(e, expected);  // flat: matrix i begins where its rows do
  }
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("the rows of many matrices are summed, three levels deep") {
  check_matrices<ndp::plus, double>(1.0);
}

TEST_CASE("three levels deep, an operator that does not commute keeps its order") {
  check_matrices<compose, affine>(affine{3, 5});
}
