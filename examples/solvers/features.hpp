// Numbers of a matrix that say which solver converges on it, and how fast: Bhowmick, Toth,
// Raghavan, "Towards low-cost, high-accuracy classifiers for linear solver selection", ICCS 2009.
#pragma once

#include "linear_system.hpp"

namespace solvers {

/// Calls visit(row, column, value) for every entry.
template <class Visit>
void for_each_entry(const spmv::csr_matrix<double>& a, const Visit& visit) {
  for (index r = 0; r < a.rows; ++r)
    for (auto k = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(r) + 1]); ++k)
      visit(r, a.columns[k], a.values[k]);
}

inline double trace(const linear_system& s) {
  double sum = 0;
  for (const double d : s.diagonal) sum += d;
  return sum;
}

inline double diagonal_average(const linear_system& s) {
  double sum = 0;
  for (const double d : s.diagonal) sum += std::fabs(d);
  return sum / std::max<index>(1, s.size());
}

inline double diagonal_variance(const linear_system& s) {
  const double average = diagonal_average(s);
  double sum = 0;
  for (const double d : s.diagonal) sum += (std::fabs(d) - average) * (std::fabs(d) - average);
  return sum / std::max<index>(1, s.size());
}

/// The mean over the rows of the diagonal's part of the row's sum: above a half where it dominates.
inline double diagonal_dominance(const linear_system& s) {
  double parts = 0;
  double row_sum = 0;
  double diagonal = 0;
  index row = 0;
  const auto end_row = [&] {
    if (row_sum > 0) parts += diagonal / row_sum;
    row_sum = diagonal = 0;
  };
  for_each_entry(s.a, [&](index r, index c, double value) {
    if (r != row) end_row();
    row = r;
    row_sum += std::fabs(value);
    if (r == c) diagonal = value;
  });
  end_row();
  return parts / std::max<index>(1, s.size());
}

/// The greatest distance of an entry from the diagonal, to its left.
inline double left_bandwidth(const linear_system& s) {
  index widest = 0;
  for (index r = 0; r < s.size(); ++r) {
    const auto first = static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r)]);
    if (first < static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r) + 1]))
      widest = std::max(widest, r - s.a.columns[first]);
  }
  return widest;
}

/// The greatest sum of a column's absolute values.
inline double one_norm(const linear_system& s) {
  vector sums(static_cast<std::size_t>(s.size()));
  for_each_entry(s.a, [&](index, index c, double value) {
    sums[static_cast<std::size_t>(c)] += std::fabs(value);
  });
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

}  // namespace solvers
