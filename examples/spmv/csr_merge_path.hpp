// SpMV variant: CSR by merge path (Merrill and Garland, "Merge-based parallel sparse matrix-vector
// multiplication", SC 2016). Rows and nonzeros together are cut into equal tiles, so that neither
// a row of a million entries nor a million empty rows can leave a thread idle.
#pragma once

#include <array>

#include "row_dot.hpp"
#include "threads.hpp"

namespace spmv {

/// A point of the merge path: `row` rows are finished and `nonzero` nonzeros are used up.
struct merge_point {
  index row;
  index nonzero;
};

/// Where the merge path of the row ends (row_offsets[1..rows]) with the nonzeros 0, 1, 2, ...
/// crosses diagonal `diagonal`: row + nonzero == diagonal, and every row that ends at or before
/// `nonzero` on the path is finished. O(log rows).
inline merge_point merge_path_point(std::span<const index> row_ends, index nonzeros,
                                    std::int64_t diagonal) noexcept {
  const auto rows = static_cast<std::int64_t>(row_ends.size());
  std::int64_t low = std::max<std::int64_t>(0, diagonal - nonzeros);
  std::int64_t high = std::min(diagonal, rows);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (row_ends[static_cast<std::size_t>(middle)] <= diagonal - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return {static_cast<index>(low), static_cast<index>(diagonal - low)};
}

/// y = A x. Writes every element of y. Each tile ends inside some row; its partial sum of that
/// row is carried over and added when all tiles are done, in order, so that the result depends on
/// the number of threads but not on their timing.
template <class Value>
void csr_merge_path(const csr_matrix<Value>& a, input<Value> x, output<Value> y) noexcept {
  struct carry {
    index row;
    Value sum;
  };
  constexpr int most_tiles = 256;
  std::array<carry, most_tiles> carries;
  const int tiles = std::min(maximum_threads(), most_tiles);
  const std::span<const index> row_ends(a.row_offsets.data() + 1, static_cast<std::size_t>(a.rows));
  const std::int64_t work = std::int64_t{a.rows} + a.nonzeros();
#pragma omp parallel num_threads(tiles)
  for (int tile = this_thread(); tile < tiles; tile += team_size()) {
    const auto begin = merge_path_point(row_ends, a.nonzeros(), work * tile / tiles);
    const auto end = merge_path_point(row_ends, a.nonzeros(), work * (tile + 1) / tiles);
    const Value* values = a.values.data();
    const index* columns = a.columns.data();
    index k = begin.nonzero;
    for (index r = begin.row; r < end.row; ++r) {
      const index row_end = row_ends[static_cast<std::size_t>(r)];
      y[static_cast<std::size_t>(r)] = row_dot(values, columns, x.data(), k, row_end);
      k = row_end;
    }
    carries[static_cast<std::size_t>(tile)] = {end.row,
                                               row_dot(values, columns, x.data(), k, end.nonzero)};
  }
  for (int tile = 0; tile < tiles; ++tile) {
    const auto& [row, sum] = carries[static_cast<std::size_t>(tile)];
    if (row < a.rows) y[static_cast<std::size_t>(row)] += sum;
  }
}

}  // namespace spmv
