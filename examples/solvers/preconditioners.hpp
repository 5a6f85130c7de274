// Preconditioners: approximate inverses of a matrix. Each is made from a system and applied to a
// residual; `is_usable` is false where the matrix has none.
#pragma once

#include <array>

#include "linear_system.hpp"

namespace solvers {
namespace detail {

/// The diagonal's reciprocals; 1 where it is zero.
inline vector reciprocal_diagonal(const linear_system& system) {
  vector inverse;
  for (const double d : system.diagonal) inverse.push_back(d == 0 ? 1 : 1 / d);
  return inverse;
}

/// Solves the dense system `a` x = b of n rows in place, with partial pivoting; b becomes x. False
/// where it is singular.
inline bool solve_dense(double* a, double* b, std::size_t n, std::size_t right_sides = 1) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
    if (a[pivot * n + k] == 0) return false;
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
      std::swap_ranges(b + k * right_sides, b + (k + 1) * right_sides, b + pivot * right_sides);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (std::size_t j = 0; j < right_sides; ++j)
        b[i * right_sides + j] -= factor * b[k * right_sides + j];
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < right_sides; ++j) b[k * right_sides + j] /= a[k * n + k];
  return true;
}

}  // namespace detail

class jacobi {
 public:
  static constexpr bool is_usable = true;
  explicit jacobi(const linear_system& system) : inverse_(detail::reciprocal_diagonal(system)) {}
  void apply(const vector& r, vector& z) const {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_[i] * r[i];
  }

 private:
  vector inverse_;
};

/// Inverses of the blocks of eight rows along the diagonal.
class block_jacobi {
 public:
  static constexpr bool is_usable = true;
  static constexpr std::size_t block = block_rows;
  explicit block_jacobi(const linear_system& system)
      : diagonal_(detail::reciprocal_diagonal(system)) {
    const auto size = static_cast<std::size_t>(system.size());
    inverses_.assign((size + block - 1) / block * block * block, 0);
    for (std::size_t first = 0; first < size; first += block) {
      const std::size_t n = std::min(block, size - first);
      std::array<double, block * block> a{};
      double* const inverse = &inverses_[first * block];
      for (std::size_t i = 0; i < n; ++i) {
        const auto row = first + i;
        for (auto k = static_cast<std::size_t>(system.a.row_offsets[row]);
             k < static_cast<std::size_t>(system.a.row_offsets[row + 1]); ++k) {
          const auto column = static_cast<std::size_t>(system.a.columns[k]);
          if (column >= first && column < first + n) a[i * n + column - first] = system.a.values[k];
        }
        inverse[i * n + i] = 1;
      }
      if (detail::solve_dense(a.data(), inverse, n, n)) continue;
      std::fill_n(inverse, n * n, 0);
      for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = diagonal_[first + i];
    }
  }
  void apply(const vector& r, vector& z) const {
    for (std::size_t first = 0; first < r.size(); first += block) {
      const std::size_t n = std::min(block, r.size() - first);
      const double* const inverse = &inverses_[first * block];
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += inverse[i * n + j] * r[first + j];
        z[first + i] = sum;
      }
    }
  }

 private:
  vector diagonal_;
  vector inverses_;
};

/// Factorised approximate inverse: G^T G with the lower triangle's pattern for G, where row i of G
/// solves A restricted to the pattern for unit vector i (Kolotilina, Yeremin, SIMAX 1993).
class approximate_inverse {
 public:
  static constexpr bool is_usable = true;
  explicit approximate_inverse(const linear_system& system) {
    constexpr std::size_t longest = 24;
    const auto& a = system.a;
    g_.rows = g_.columns_count = a.rows;
    vector dense;
    vector row;
    for (index i = 0; i < a.rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto begin = a.columns.begin() + a.row_offsets[at];
      const auto end = std::lower_bound(begin, a.columns.begin() + a.row_offsets[at + 1], i);
      const auto kept = std::min<std::size_t>(longest, static_cast<std::size_t>(end - begin));
      std::vector<index> pattern(end - static_cast<std::ptrdiff_t>(kept), end);
      pattern.push_back(i);
      const std::size_t n = pattern.size();
      dense.resize(n * n);
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = 0; q < n; ++q)
          dense[p * n + q] = detail::value_at(a, pattern[p], pattern[q]);
      row.assign(n, 0);
      row.back() = 1;
      if (!detail::solve_dense(dense.data(), row.data(), n) || row.back() == 0) {
        row.assign(n, 0);
        row.back() = 1;
      }
      const double scale = 1 / std::sqrt(std::fabs(row.back()));
      for (std::size_t p = 0; p < n; ++p) {
        g_.columns.push_back(pattern[p]);
        g_.values.push_back(scale * row[p]);
      }
      g_.row_offsets.push_back(static_cast<index>(g_.columns.size()));
    }
  }
  void apply(const vector& r, vector& z) {
    std::fill(z.begin(), z.end(), 0.0);
    for (std::size_t i = 0; i < r.size(); ++i) {
      double sum = 0;
      const auto first = static_cast<std::size_t>(g_.row_offsets[i]);
      const auto last = static_cast<std::size_t>(g_.row_offsets[i + 1]);
      for (std::size_t k = first; k < last; ++k)
        sum += g_.values[k] * r[static_cast<std::size_t>(g_.columns[k])];
      for (std::size_t k = first; k < last; ++k)
        z[static_cast<std::size_t>(g_.columns[k])] += g_.values[k] * sum;
    }
  }

 private:
  spmv::csr_matrix<double> g_;
};

/// Incomplete LU factors with the matrix's own pattern; for a symmetric matrix they are those of
/// the incomplete Cholesky factorisation L D L^T. Not usable where a pivot is zero, or missing.
class incomplete_lu {
 public:
  explicit incomplete_lu(const linear_system& system) : lu_(system.a) {
    const auto size = static_cast<std::size_t>(lu_.rows);
    diagonal_.resize(size);
    std::vector<std::size_t> position(size, none);  // of each column in the current row
    for (std::size_t i = 0; i < size; ++i) {
      const auto first = static_cast<std::size_t>(lu_.row_offsets[i]);
      const auto last = static_cast<std::size_t>(lu_.row_offsets[i + 1]);
      for (std::size_t k = first; k < last; ++k)
        position[static_cast<std::size_t>(lu_.columns[k])] = k;
      diagonal_[i] = position[i];
      for (std::size_t k = first; k < last && static_cast<std::size_t>(lu_.columns[k]) < i; ++k) {
        const auto row = static_cast<std::size_t>(lu_.columns[k]);
        const double factor = lu_.values[k] /= lu_.values[diagonal_[row]];
        for (auto other = diagonal_[row] + 1;
             other < static_cast<std::size_t>(lu_.row_offsets[row + 1]); ++other)
          if (const std::size_t at = position[static_cast<std::size_t>(lu_.columns[other])];
              at != none)
            lu_.values[at] -= factor * lu_.values[other];
      }
      for (std::size_t k = first; k < last; ++k)
        position[static_cast<std::size_t>(lu_.columns[k])] = none;
      if (diagonal_[i] == none || lu_.values[diagonal_[i]] == 0) {
        is_usable = false;
        return;
      }
    }
  }
  void apply(const vector& r, vector& z) const {
    for (std::size_t i = 0; i < r.size(); ++i) {
      double sum = r[i];
      for (auto k = static_cast<std::size_t>(lu_.row_offsets[i]); k < diagonal_[i]; ++k)
        sum -= lu_.values[k] * z[static_cast<std::size_t>(lu_.columns[k])];
      z[i] = sum;
    }
    for (std::size_t i = r.size(); i-- > 0;) {
      double sum = z[i];
      for (auto k = diagonal_[i] + 1; k < static_cast<std::size_t>(lu_.row_offsets[i + 1]); ++k)
        sum -= lu_.values[k] * z[static_cast<std::size_t>(lu_.columns[k])];
      z[i] = sum / lu_.values[diagonal_[i]];
    }
  }

  bool is_usable = true;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  spmv::csr_matrix<double> lu_;
  std::vector<std::size_t> diagonal_;
};

}  // namespace solvers
