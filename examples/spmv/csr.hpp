// Compressed sparse rows: the format that every SpMV variant starts from, and how to build it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace spmv {

using index = std::int32_t;

/// The vector that is multiplied, and the one that is written; their value type is never deduced,
/// so that a matrix of `double` accepts anything that converts to a span of `double`.
template <class Value>
using input = std::span<const std::type_identity_t<Value>>;
template <class Value>
using output = std::span<std::type_identity_t<Value>>;

/// Row r holds `values[k]` in column `columns[k]` for k in [row_offsets[r], row_offsets[r + 1]);
/// columns ascend within a row and no column appears twice. y = A x is, for every row,
///     y[r] = sum of values[k] * x[columns[k]] over the row's k.
template <class Value = double>
struct csr_matrix {
  index rows = 0;
  index columns_count = 0;
  std::vector<index> row_offsets = {0};
  std::vector<index> columns;
  std::vector<Value> values;

  index nonzeros() const noexcept { return row_offsets.back(); }
};

/// One stored entry of a matrix, zero-based.
template <class Value = double>
struct entry {
  index row;
  index column;
  Value value;
};

/// Builds a matrix of `rows` x `columns` from entries in any order; entries of the same row and
/// column are added. O(entries) memory and O(entries + entries log(longest row)) time.
/// Throws std::length_error where there are more entries than an index can count.
/// Precondition: every entry lies inside the matrix.
template <class Value>
csr_matrix<Value> csr_from_entries(index rows, index columns,
                                   std::span<const entry<Value>> entries) {
  if (entries.size() > static_cast<std::size_t>(std::numeric_limits<index>::max()))
    throw std::length_error("the matrix has " + std::to_string(entries.size()) +
                            " entries; this example counts them in 32 bits");
  csr_matrix<Value> a;
  a.rows = rows;
  a.columns_count = columns;
  // A counting sort by row keeps the cost linear; the rows are then sorted one by one.
  std::vector<index> end_of(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& e : entries) ++end_of[static_cast<std::size_t>(e.row) + 1];
  for (std::size_t r = 1; r < end_of.size(); ++r) end_of[r] += end_of[r - 1];
  struct cell {
    index column;
    Value value;
  };
  std::vector<cell> cells(entries.size());
  for (const auto& e : entries) {
    const auto at = end_of[static_cast<std::size_t>(e.row)]++;
    cells[static_cast<std::size_t>(at)] = {e.column, e.value};
  }
  a.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  a.columns.reserve(entries.size());
  a.values.reserve(entries.size());
  auto first = cells.begin();
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    const auto last = cells.begin() + end_of[r];
    const auto by_column = [](const cell& p, const cell& q) { return p.column < q.column; };
    // Stable, so that the order in which duplicates are added up does not depend on the library.
    if (!std::is_sorted(first, last, by_column)) std::stable_sort(first, last, by_column);
    for (auto row_begin = a.columns.size(); first != last; ++first) {
      if (a.columns.size() > row_begin && a.columns.back() == first->column) {
        a.values.back() += first->value;
      } else {
        a.columns.push_back(first->column);
        a.values.push_back(first->value);
      }
    }
    a.row_offsets[r + 1] = static_cast<index>(a.columns.size());
  }
  return a;
}

/// Number of entries of the longest row; 0 for a matrix without rows. O(rows).
template <class Value>
index longest_row(const csr_matrix<Value>& a) noexcept {
  index longest = 0;
  for (std::size_t r = 1; r < a.row_offsets.size(); ++r)
    longest = std::max(longest, a.row_offsets[r] - a.row_offsets[r - 1]);
  return longest;
}

}  // namespace spmv
