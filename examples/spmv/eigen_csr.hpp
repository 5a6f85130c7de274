// SpMV variant: the Eigen library's row-major sparse product, on the CSR arrays where they lie.
// Eigen itself starts threads above 20 000 nonzeros where it is compiled with OpenMP.
#pragma once

#include <Eigen/SparseCore>

#include "csr.hpp"

namespace spmv {

/// y = A x. Writes every element of y.
template <class Value>
void eigen_csr(const csr_matrix<Value>& a, input<Value> x, output<Value> y) {
  using matrix = Eigen::SparseMatrix<Value, Eigen::RowMajor, index>;
  using vector = Eigen::Matrix<Value, Eigen::Dynamic, 1>;
  const Eigen::Map<const matrix> mapped(a.rows, a.columns_count, a.nonzeros(), a.row_offsets.data(),
                                        a.columns.data(), a.values.data());
  const Eigen::Map<const vector> in(x.data(), a.columns_count);
  Eigen::Map<vector> out(y.data(), a.rows);
  out.noalias() = mapped * in;
}

}  // namespace spmv
