// What the model sees of a matrix: the paper's five features (dissertation 2.3.1), SELL's
// fill, sizes, and how evenly rows are distributed over threads.
#pragma once

#include <cmath>

#include "sparse_matrix.hpp"
#include "threads.hpp"

namespace spmv {

/// Number of rows. O(1).
inline double row_count(const sparse_matrix& a) noexcept { return a.csr.rows; }

/// Number of nonzeros. O(1).
inline double nonzeros(const sparse_matrix& a) noexcept { return a.csr.nonzeros(); }

/// Average number of nonzeros a row; 0 without rows. O(1).
inline double mean_row_length(const sparse_matrix& a) noexcept {
  return a.csr.rows == 0 ? 0.0 : static_cast<double>(a.csr.nonzeros()) / a.csr.rows;
}

/// Standard deviation of the row lengths; 0 without rows. O(rows): the only feature that looks at
/// more than what loading the matrix has left behind.
inline double row_length_deviation(const sparse_matrix& a) noexcept {
  if (a.csr.rows == 0) return 0.0;
  const index* offsets = a.csr.row_offsets.data();
  double squares = 0;
#pragma omp simd reduction(+ : squares)
  for (index r = 0; r < a.csr.rows; ++r) {
    const double length = offsets[r + 1] - offsets[r];
    squares += length * length;
  }
  const double mean = mean_row_length(a);
  return std::sqrt(std::max(0.0, squares / a.csr.rows - mean * mean));
}

/// By how much the longest row exceeds the average. O(1): the longest row is ELL's width.
inline double longest_row_deviation(const sparse_matrix& a) noexcept {
  return a.longest_row - mean_row_length(a);
}

/// Places that DIA, ELL and SELL store for each nonzero. O(1): loading the matrix has found out.
inline double dia_fill(const sparse_matrix& a) noexcept { return a.dia_fill; }
inline double ell_fill(const sparse_matrix& a) noexcept { return a.ell_fill; }
inline double sell_fill(const sparse_matrix& a) noexcept { return a.sell_fill; }

/// If every thread takes the same number of rows: nonzeros of the busiest thread over the mean of
/// all; 1 without nonzeros. O(threads).
inline double thread_imbalance(const sparse_matrix& a) noexcept {
  if (a.csr.nonzeros() == 0) return 1.0;
  const int threads = maximum_threads();
  index most = 0;
  index begin = 0;
  for (int t = 1; t <= threads; ++t) {
    const auto row = static_cast<std::size_t>(std::int64_t{a.csr.rows} * t / threads);
    const index end = a.csr.row_offsets[row];
    most = std::max(most, end - begin);
    begin = end;
  }
  return static_cast<double>(most) * threads / a.csr.nonzeros();
}

}  // namespace spmv
