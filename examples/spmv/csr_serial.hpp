// SpMV variant: CSR, one thread, one row after the other. Nothing to start, so best for small ones.
#pragma once

#include "row_dot.hpp"

namespace spmv {

/// y = A x. Writes every element of y.
template <class Value>
void csr_serial(const csr_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  const index* offsets = a.row_offsets.data();
  for (index r = 0; r < a.rows; ++r)
    y[static_cast<std::size_t>(r)] =
        row_dot(a.values.data(), a.columns.data(), x.data(), offsets[r], offsets[r + 1]);
}

}  // namespace spmv
