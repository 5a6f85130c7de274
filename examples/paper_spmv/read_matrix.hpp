// Reads a Matrix Market file (the SpMV example's reader) into every format of HostMatrix.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "../spmv/matrix_market.hpp"
#include "host_matrix.hpp"

namespace MySparse {

inline void add_diagonals(HostMatrix& matrix) {
  std::set<std::ptrdiff_t> offsets;
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    offsets.insert(static_cast<std::ptrdiff_t>(matrix.column_of[k]) -
                   static_cast<std::ptrdiff_t>(matrix.row_of[k]));
  }
  matrix.diagonals.assign(offsets.begin(), offsets.end());
  const std::size_t stored = matrix.diagonals.size() * matrix.rows;
  matrix.diagonal_fill = static_cast<double>(stored) /
                         static_cast<double>(std::max<std::size_t>(1, matrix.values.size()));
  if (matrix.diagonal_fill > fill_cutoff) return;
  matrix.diagonal_values.assign(stored, 0.0);
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    const auto offset = static_cast<std::ptrdiff_t>(matrix.column_of[k]) -
                        static_cast<std::ptrdiff_t>(matrix.row_of[k]);
    const auto entry = std::lower_bound(matrix.diagonals.begin(), matrix.diagonals.end(), offset);
    const auto d = static_cast<std::size_t>(entry - matrix.diagonals.begin());
    matrix.diagonal_values[d * matrix.rows + matrix.row_of[k]] = matrix.values[k];
  }
}

inline void add_ellpack(HostMatrix& matrix) {
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    matrix.row_width =
        std::max(matrix.row_width, matrix.row_offsets[i + 1] - matrix.row_offsets[i]);
  }
  const std::size_t stored = matrix.row_width * matrix.rows;
  matrix.ell_fill = static_cast<double>(stored) /
                    static_cast<double>(std::max<std::size_t>(1, matrix.values.size()));
  if (matrix.ell_fill > fill_cutoff) return;
  matrix.ell_columns.assign(stored, 0);
  matrix.ell_values.assign(stored, 0.0);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t k = matrix.row_offsets[i]; k < matrix.row_offsets[i + 1]; ++k) {
      const std::size_t entry = (k - matrix.row_offsets[i]) * matrix.rows + i;
      matrix.ell_columns[entry] = matrix.column_of[k];
      matrix.ell_values[entry] = matrix.values[k];
    }
  }
}

/// Throws std::runtime_error where the file is not a Matrix Market file.
inline HostMatrix read_matrix(const std::string& path) {
  const ::spmv::csr_matrix<double> csr = ::spmv::read_matrix_market(path);
  HostMatrix matrix;
  matrix.rows = static_cast<std::size_t>(csr.rows);
  matrix.columns = static_cast<std::size_t>(csr.columns_count);
  matrix.row_offsets.assign(csr.row_offsets.begin(), csr.row_offsets.end());
  matrix.column_of.assign(csr.columns.begin(), csr.columns.end());
  matrix.values = csr.values;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    matrix.row_of.insert(matrix.row_of.end(), matrix.row_offsets[i + 1] - matrix.row_offsets[i], i);
  }
  add_diagonals(matrix);
  add_ellpack(matrix);
  matrix.x.resize(matrix.columns);
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    matrix.x[j] = 1.0 + static_cast<double>(j % 7);
  }
  matrix.y.assign(matrix.rows, 0.0);
  return matrix;
}

}  // namespace MySparse
