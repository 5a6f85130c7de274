// SpMV variant: CSR, the threads take the next few rows when they are done with their last. Best
// where work gathers in some part of a large matrix.
#pragma once

#include "row_dot.hpp"
#include "threads.hpp"

namespace spmv {

/// y = A x. Writes every element of y.
template <class Value>
void csr_openmp_dynamic(const csr_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  const index* offsets = a.row_offsets.data();
  // About 32 helpings a thread: enough to even out, few enough that fetching them costs nothing.
  const index chunk = std::max(index{16}, a.rows / (32 * maximum_threads()));
#pragma omp parallel for schedule(dynamic, chunk)
  for (index r = 0; r < a.rows; ++r)
    y[static_cast<std::size_t>(r)] =
        row_dot(a.values.data(), a.columns.data(), x.data(), offsets[r], offsets[r + 1]);
}

}  // namespace spmv
