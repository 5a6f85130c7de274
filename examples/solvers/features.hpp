// Numbers of a matrix that say which solver converges on it, and how fast: those of Bhowmick, Toth,
// Raghavan, "Towards low-cost, high-accuracy classifiers for linear solver selection", ICCS 2009,
// and what a method needs: signs, and rows that their diagonal dominates. One pass over the matrix
// finds all of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "linear_system.hpp"

namespace solvers {

/// The absolute value of the first diagonal element.
inline double usual_diagonal(const linear_system& s) {
  return s.diagonal.empty() ? 0 : std::fabs(s.diagonal.front());
}

/// On the host, by all threads.
inline matrix_numbers numbers_of(const linear_system& s) {
  const double usual = usual_diagonal(s);
  const index size = s.size();
  matrix_numbers found;
#pragma omp declare reduction(merge:matrix_numbers : omp_out = omp_out + omp_in)
#pragma omp parallel for schedule(static) reduction(merge : found)
  for (index r = 0; r < size; ++r) {
    const auto first = static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r)]);
    const auto last = static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r) + 1]);
    row_numbers row{.diagonal = s.diagonal[static_cast<std::size_t>(r)]};
    for (std::size_t k = first; k < last; ++k) row.add(r, s.a.columns[k], s.a.values[k]);
    found.add(row, usual, first < last ? r - s.a.columns[first] : 0);
  }
  return found;
}

/// The greatest sum of a column's absolute values, by one thread of the host: only for matrices
/// that are not symmetric, for which it is not that of a row's.
inline double one_norm(const linear_system& s) {
  vector sums(static_cast<std::size_t>(s.size()));
  for (std::size_t k = 0; k < s.a.values.size(); ++k)
    sums[static_cast<std::size_t>(s.a.columns[k])] += std::fabs(s.a.values[k]);
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

/// The feature `which` of a system with these numbers.
inline double value_of(number which, const matrix_numbers& found, const linear_system& s) {
  const double rows = std::max<index>(1, s.size());
  switch (which) {
    case number::trace:
      return found.trace;
    case number::diag_avg:
      return usual_diagonal(s) + found.deviation / rows;
    case number::diag_var: {
      const double mean = found.deviation / rows;
      return std::max(0.0, found.squared_deviation / rows - mean * mean);
    }
    case number::diag_dominance:  // above a half where it dominates
      return found.dominance / rows;
    case number::left_bandwidth:
      return found.left_bandwidth;
    case number::norm_1:
      return s.is_symmetric ? found.row_norm : one_norm(s);
    case number::negative_diagonal:  // above 0 the matrix is not positive definite
      return found.not_positive / rows;
    case number::weakest_row:  // from 0 on the diagonal dominates all rows
      return std::max(found.weakest_row, -1000.0);
    case number::same_signs:  // 0 in an M-matrix, whose incomplete factors exist
      return found.others == 0 ? 0 : found.same / found.others;
    case number::block_weight:  // near 1 the blocks' inverses are nearly the matrix's
      return found.coupled == 0 ? 1 : found.block / found.coupled;
  }
  return 0;
}

inline double feature_of(const linear_system& s, number which) {
  return value_of(which, s.numbers.get(which, [&] { return numbers_of(s); }), s);
}

}  // namespace solvers
