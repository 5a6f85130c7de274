// A sparse matrix in host memory in the formats of the paper's variants, with the vectors of y = A
// x.
#pragma once

#include <cstddef>
#include <vector>

namespace MySparse {

struct HostMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;

  // Compressed sparse rows, and the row of each entry for the coordinate format.
  std::vector<std::size_t> row_offsets;
  std::vector<std::size_t> column_of;
  std::vector<std::size_t> row_of;
  std::vector<double> values;

  // Diagonals: value of row i on diagonal d at [d * rows + i]. Empty where the fill is too large.
  std::vector<std::ptrdiff_t> diagonals;
  std::vector<double> diagonal_values;
  double diagonal_fill = 0.0;  ///< stored values a nonzero

  // ELLPACK: entry k of row i at [k * rows + i], padded by zeros. Empty where the fill is too
  // large.
  std::size_t row_width = 0;
  std::vector<std::size_t> ell_columns;
  std::vector<double> ell_values;
  double ell_fill = 0.0;  ///< stored values a nonzero

  std::vector<double> x;
  std::vector<double> y;
};

/// More stored values a nonzero than this, and a format is not built.
inline constexpr double fill_cutoff = 20.0;

}  // namespace MySparse
