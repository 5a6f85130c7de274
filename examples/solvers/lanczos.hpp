// The ends of a symmetric matrix's spectrum, estimated by a few steps of Lanczos' method: whether
// the matrix is definite, and how hard it is for conjugate gradients.
#pragma once

#include <fettle/core/host_device.hpp>

#include "../spmv/csr_serial.hpp"
#include "linear_system.hpp"

namespace solvers {

inline constexpr int lanczos_steps = 16;

/// The matrix that Lanczos' method makes: a diagonal and the entries beside it.
struct tridiagonal {
  vector diagonal;
  vector beside;  ///< one fewer is used than there are diagonal entries

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
};

/// What scales row and column i so that the diagonal is 1 or -1; 1 where it is 0.
FETTLE_HOST_DEVICE inline double scale_of(double diagonal) {
  return diagonal == 0 ? 1 : 1 / std::sqrt(std::fabs(diagonal));
}

/// The least eigenvalue of the matrix, scaled to a diagonal of 1 or -1, over its greatest one, in
/// the subspace of the first steps from the vector of ones: below 0 the matrix is indefinite, and
/// the nearer to 0, the more iterations conjugate gradients need. 0 where the matrix is not
/// symmetric. Cost: lanczos_steps products with the matrix.
inline double least_ritz_value(const linear_system& s) {
  const auto size = static_cast<std::size_t>(s.size());
  if (!s.is_symmetric || size == 0) return 0;
  vector v(size);
  vector before(size);
  vector w(size);
  vector u(size);
  double beta = 0;
  for (std::size_t i = 0; i < size; ++i) {
    w[i] = 1 / scale_of(s.diagonal[i]);
    beta += w[i] * w[i];
  }
  beta = std::sqrt(beta);
  tridiagonal t;
  for (int step = 0; step < lanczos_steps; ++step) {
    before.swap(v);
    for (std::size_t i = 0; i < size; ++i) {
      v[i] = w[i] / beta;
      u[i] = v[i] * scale_of(s.diagonal[i]);
    }
    spmv::csr_serial(s.a, u, w);
    double alpha = 0;
    for (std::size_t i = 0; i < size; ++i) {
      w[i] *= scale_of(s.diagonal[i]);
      alpha += v[i] * w[i];
    }
    t.diagonal.push_back(alpha);
    double square = 0;
    for (std::size_t i = 0; i < size; ++i) {
      w[i] -= alpha * v[i] + (step == 0 ? 0 : beta) * before[i];
      square += w[i] * w[i];
    }
    beta = std::sqrt(square);
    t.beside.push_back(beta);
    if (!(beta > 1e-10)) break;
  }
  return t.least_to_greatest();
}

}  // namespace solvers
