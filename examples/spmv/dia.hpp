// SpMV variants: DIA, the matrix as its diagonals. No column indices and no gathers: the fastest
// format for stencils and bands, and a waste for everything else.
#pragma once

#include "csr.hpp"

namespace spmv {

/// Each diagonal that holds a nonzero is stored whole. Rows come in blocks of `block`, and a block
/// holds its piece of every diagonal side by side, so that memory is read in one stream:
/// the entry of row r on diagonal d is values[(r / block * diagonals + d) * block + r % block], and
/// its column is r + offsets[d].
template <class Value = double>
struct dia_matrix {
  static constexpr index block = 64;
  index rows = 0;
  index columns_count = 0;
  std::vector<index> offsets;
  std::vector<Value> values;

  index diagonals() const noexcept { return static_cast<index>(offsets.size()); }
  index blocks() const noexcept { return (rows + block - 1) / block; }
};

/// The diagonals (column - row) that hold an entry, ascending. O(rows + columns + nonzeros).
template <class Value>
std::vector<index> occupied_diagonals(const csr_matrix<Value>& a) {
  std::vector<char> occupied(static_cast<std::size_t>(a.rows) +
                             static_cast<std::size_t>(a.columns_count));
  for (index r = 0; r < a.rows; ++r)
    for (index k = a.row_offsets[static_cast<std::size_t>(r)];
         k < a.row_offsets[static_cast<std::size_t>(r) + 1]; ++k)
      occupied[static_cast<std::size_t>(std::int64_t{a.columns[static_cast<std::size_t>(k)]} - r +
                                        a.rows)] = 1;
  std::vector<index> offsets;
  for (std::size_t d = 0; d < occupied.size(); ++d)
    if (occupied[d] != 0)
      offsets.push_back(static_cast<index>(static_cast<std::int64_t>(d) - a.rows));
  return offsets;
}

/// Converts, given the matrix's own occupied_diagonals. Memory: offsets.size() * rows values.
template <class Value>
dia_matrix<Value> dia_from_csr(const csr_matrix<Value>& a, std::vector<index> offsets) {
  dia_matrix<Value> dia{a.rows, a.columns_count, std::move(offsets), {}};
  const auto diagonals = static_cast<std::size_t>(dia.diagonals());
  dia.values.assign(static_cast<std::size_t>(dia.blocks()) * diagonals * dia.block, Value{0});
  for (index r = 0; r < a.rows; ++r) {
    // Columns ascend within a row and so do the offsets: one walk along both.
    std::size_t d = 0;
    for (index k = a.row_offsets[static_cast<std::size_t>(r)];
         k < a.row_offsets[static_cast<std::size_t>(r) + 1]; ++k) {
      while (dia.offsets[d] + r < a.columns[static_cast<std::size_t>(k)]) ++d;
      const auto entry = (static_cast<std::size_t>(r / dia.block) * diagonals + d) * dia.block +
                         static_cast<std::size_t>(r % dia.block);
      dia.values[entry] = a.values[static_cast<std::size_t>(k)];
    }
  }
  return dia;
}

namespace detail {

/// One block of rows of y = A x.
template <class Value>
inline void dia_block(const dia_matrix<Value>& a, const Value* x, Value* y, index b) noexcept {
  constexpr index block = dia_matrix<Value>::block;
  const index row = b * block;
  const index diagonals = a.diagonals();
  const Value* values =
      a.values.data() + static_cast<std::size_t>(b) * static_cast<std::size_t>(diagonals) * block;
  Value sums[block] = {};
  for (index d = 0; d < diagonals; ++d, values += block) {
    const std::int64_t column = std::int64_t{row} + a.offsets[static_cast<std::size_t>(d)];
    if (column >= 0 && column + block <= a.columns_count) {
      const Value* in = x + column;
#pragma omp simd
      for (index i = 0; i < block; ++i) sums[i] += values[i] * in[i];
    } else {  // the diagonal enters or leaves the matrix within this block
      const auto first = std::max<std::int64_t>(0, -column);
      const auto last = std::min<std::int64_t>(block, a.columns_count - column);
      for (auto i = first; i < last; ++i) sums[i] += values[i] * x[column + i];
    }
  }
  const index count = std::min(block, a.rows - row);
  std::copy(sums, sums + count, y + row);
}

}  // namespace detail

/// y = A x on one thread. Writes every element of y.
template <class Value>
void dia_serial(const dia_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  for (index b = 0; b < a.blocks(); ++b) detail::dia_block(a, x.data(), y.data(), b);
}

/// y = A x, the same number of rows for each thread. Writes every element of y.
template <class Value>
void dia_openmp(const dia_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
#pragma omp parallel for schedule(static)
  for (index b = 0; b < a.blocks(); ++b) detail::dia_block(a, x.data(), y.data(), b);
}

}  // namespace spmv
