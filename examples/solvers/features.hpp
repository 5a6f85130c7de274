// Numbers of a matrix that say which solver converges on it, and how fast: those of Bhowmick, Toth,
// Raghavan, "Towards low-cost, high-accuracy classifiers for linear solver selection", ICCS 2009,
// and what a method needs: symmetry, signs, rows that their diagonal dominates.
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

/// The mean of f(diagonal element) over all rows.
template <class Function>
double mean_over_diagonal(const linear_system& s, const Function& f) {
  const double* const diagonal = s.diagonal.data();
  const index size = s.size();
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index i = 0; i < size; ++i) sum += f(diagonal[i]);
  return sum / std::max<index>(1, size);
}

inline double trace(const linear_system& s) {
  return mean_over_diagonal(s, [](double d) { return d; }) * s.size();
}

inline double diagonal_average(const linear_system& s) {
  return mean_over_diagonal(s, [](double d) { return std::fabs(d); });
}

inline double diagonal_variance(const linear_system& s) {
  const double average = diagonal_average(s);
  return mean_over_diagonal(
      s, [&](double d) { return (std::fabs(d) - average) * (std::fabs(d) - average); });
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

/// The part of the rows whose diagonal is not positive: above 0 the matrix is not positive
/// definite.
inline double negative_diagonal(const linear_system& s) {
  return mean_over_diagonal(s, [](double d) { return d > 0 ? 0.0 : 1.0; });
}

/// The least over the rows of the diagonal less the other entries, absolute, as a part of the
/// diagonal. From 0 on the diagonal dominates all rows: iterations as simple as Jacobi's converge,
/// and a symmetric matrix with a positive diagonal is definite. At least -1000.
inline double weakest_row(const linear_system& s) {
  double weakest = 1;
  for (index r = 0; r < s.size(); ++r) {
    double others = 0;
    for (auto k = static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(s.a.row_offsets[static_cast<std::size_t>(r) + 1]); ++k)
      if (s.a.columns[k] != r) others += std::fabs(s.a.values[k]);
    const double diagonal = std::fabs(s.diagonal[static_cast<std::size_t>(r)]);
    if (others > 0) weakest = std::min(weakest, (diagonal - others) / (diagonal + 1e-300));
  }
  return std::max(weakest, -1000.0);
}

/// The part of the entries beside the diagonal that have the sign of their row's diagonal: 0 in an
/// M-matrix, whose incomplete factors exist.
inline double same_signs(const linear_system& s) {
  std::size_t same = 0;
  std::size_t others = 0;
  for_each_entry(s.a, [&](index r, index c, double value) {
    if (r == c) return;
    ++others;
    if (value * s.diagonal[static_cast<std::size_t>(r)] > 0) ++same;
  });
  return others == 0 ? 0 : static_cast<double>(same) / static_cast<double>(others);
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
