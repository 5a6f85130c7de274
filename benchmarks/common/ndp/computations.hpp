// The computations that are compared, written once for every platform.
#pragma once

#include <fettle/ndp.hpp>

namespace fettle_benchmarks {

namespace ndp = fettle::ndp;

/// The sum of a row.
template <typename T>
struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, T(0));
  }
};

/// A row of a sparse matrix times the vector x.
template <typename T>
struct row_dot {
  ndp::sequence<const T> x;

  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)),
                       T(0));
  }
};

/// The sum of each row of `values`. `known`: statistics of the rows for the default rule.
template <typename T, typename Index>
[[nodiscard]] auto row_sums(ndp::sequence<const T> values, ndp::sequence<const Index> offsets,
                            const ndp::row_statistics& known = {}) {
  return ndp::map(row_sum<T>{}, ndp::nest(values, offsets, known));
}

/// A sparse matrix in CSR form times x.
template <typename T, typename Index>
[[nodiscard]] auto sparse_product(ndp::sequence<const T> values, ndp::sequence<const Index> columns,
                                  ndp::sequence<const Index> offsets, ndp::sequence<const T> x,
                                  const ndp::row_statistics& known = {}) {
  return ndp::map(row_dot<T>{x}, ndp::nest(values, offsets, known),
                  ndp::nest(columns, offsets, known));
}

}  // namespace fettle_benchmarks
