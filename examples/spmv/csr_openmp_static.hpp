// SpMV variant: CSR, the same number of rows for each thread. Best for large matrices whose rows
// are alike.
#pragma once

#include "row_dot.hpp"

namespace spmv {

/// y = A x. Writes every element of y.
template <class Value>
void csr_openmp_static(const csr_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  const index* offsets = a.row_offsets.data();
#pragma omp parallel for schedule(static)
  for (index r = 0; r < a.rows; ++r)
    y[static_cast<std::size_t>(r)] =
        row_dot(a.values.data(), a.columns.data(), x.data(), offsets[r], offsets[r + 1]);
}

}  // namespace spmv
