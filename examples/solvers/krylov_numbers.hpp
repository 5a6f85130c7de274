// What a few steps of Lanczos' method say of a symmetric matrix: the ends of its spectrum, and how
// fast conjugate gradients reduce the residual.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace solvers {

/// The matrix that Lanczos' method makes: a diagonal and the entries beside it.
struct tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  ///< the last one is of the next step

  /// How many eigenvalues are less than x, by Sturm's sequence.
  int eigenvalues_below(double x) const {
    int below = 0;
    double pivot = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double square = k == 0 ? 0 : beside[k - 1] * beside[k - 1];
      pivot = diagonal[k] - x - square / pivot;
      if (pivot == 0) pivot = 1e-300;
      if (pivot < 0) ++below;
    }
    return below;
  }

  /// The least eigenvalue over the greatest absolute one; 0 of no matrix.
  double least_to_greatest() const {
    double bound = 0;  // Gershgorin's
    for (std::size_t k = 0; k < diagonal.size(); ++k)
      bound = std::max(bound, std::fabs(diagonal[k]) + (k > 0 ? std::fabs(beside[k - 1]) : 0) +
                                  (k + 1 < diagonal.size() ? std::fabs(beside[k]) : 0));
    if (bound == 0) return 0;
    const auto last_with = [&](int most_below) {
      double low = -bound;
      double high = bound;
      for (int n = 0; n < 60; ++n) {
        const double middle = (low + high) / 2;
        (eigenvalues_below(middle) <= most_below ? low : high) = middle;
      }
      return low;
    };
    const double least = last_with(0);
    const double greatest = last_with(static_cast<int>(diagonal.size()) - 1);
    return least / std::max(std::fabs(least), std::fabs(greatest));
  }

  /// How small conjugate gradients, whose coefficients these are, have made the residual within
  /// these steps, as a part of the first one; 2 where the matrix is not positive definite.
  double reduction() const {
    double least = 1;
    double residual = 1;
    double pivot = 0;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      pivot = diagonal[k] - (k == 0 ? 0 : beside[k - 1] * beside[k - 1] / pivot);
      if (!(pivot > 0)) return 2;
      residual *= beside[k] / pivot;
      least = std::min(least, residual);
    }
    return least;
  }
};

/// The features that Lanczos' method finds.
enum class krylov : unsigned { least_ritz, reduction };

/// What a run of it found: an element a feature.
struct krylov_numbers {
  explicit krylov_numbers(const tridiagonal& t) : of_{t.least_to_greatest(), t.reduction()} {}
  krylov_numbers() = default;
  double operator[](krylov which) const { return of_[static_cast<std::size_t>(which)]; }

 private:
  std::array<double, 2> of_{};
};

}  // namespace solvers
