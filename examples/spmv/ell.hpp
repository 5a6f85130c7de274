// SpMV variants: ELL (ELLPACK), every row padded to the longest. Vector instructions work on
// several rows at once, so short rows fill the lanes: best where all rows have about one length.
#pragma once

#include "csr.hpp"

namespace spmv {

/// Rows come in blocks of `lanes`: entry k of row r is at index
/// (r / lanes * width + k) * lanes + r % lanes. Padding holds the value 0 and a column of the row,
/// so that a product reads no element of x that the row does not read anyway.
template <class Value = double>
struct ell_matrix {
  static constexpr index lanes = 8;
  index rows = 0;
  index width = 0;
  std::vector<index> columns;
  std::vector<Value> values;

  index blocks() const noexcept { return (rows + lanes - 1) / lanes; }
};

/// Converts, given the matrix's own longest_row. Memory: width * rows values and columns.
template <class Value>
ell_matrix<Value> ell_from_csr(const csr_matrix<Value>& a, index width) {
  ell_matrix<Value> ell{a.rows, width, {}, {}};
  const auto entries =
      static_cast<std::size_t>(ell.blocks()) * static_cast<std::size_t>(width) * ell.lanes;
  ell.columns.assign(entries, 0);
  ell.values.assign(entries, Value{0});
  for (index r = 0; r < a.rows; ++r) {
    const index first = a.row_offsets[static_cast<std::size_t>(r)];
    const index length = a.row_offsets[static_cast<std::size_t>(r) + 1] - first;
    for (index k = 0; k < width; ++k) {
      const auto entry =
          (static_cast<std::size_t>(r / ell.lanes) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(k)) *
              ell.lanes +
          static_cast<std::size_t>(r % ell.lanes);
      if (length > 0)
        ell.columns[entry] = a.columns[static_cast<std::size_t>(first + std::min(k, length - 1))];
      if (k < length) ell.values[entry] = a.values[static_cast<std::size_t>(first + k)];
    }
  }
  return ell;
}

namespace detail {

/// One block of rows of y = A x.
template <class Value>
inline void ell_block(const ell_matrix<Value>& a, const Value* x, Value* y, index b) noexcept {
  constexpr index lanes = ell_matrix<Value>::lanes;
  const auto start = static_cast<std::size_t>(b) * static_cast<std::size_t>(a.width) * lanes;
  const Value* values = a.values.data() + start;
  const index* columns = a.columns.data() + start;
  Value sums[lanes] = {};
  for (index k = 0; k < a.width; ++k, values += lanes, columns += lanes)
#pragma omp simd
    for (index i = 0; i < lanes; ++i) sums[i] += values[i] * x[columns[i]];
  const index row = b * lanes;
  const index count = std::min(lanes, a.rows - row);
  std::copy(sums, sums + count, y + row);
}

}  // namespace detail

/// y = A x on one thread. Writes every element of y.
template <class Value>
void ell_serial(const ell_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  for (index b = 0; b < a.blocks(); ++b) detail::ell_block(a, x.data(), y.data(), b);
}

/// y = A x, the same number of rows for each thread. Writes every element of y.
template <class Value>
void ell_openmp(const ell_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
#pragma omp parallel for schedule(static)
  for (index b = 0; b < a.blocks(); ++b) detail::ell_block(a, x.data(), y.data(), b);
}

}  // namespace spmv
