// A few steps of Lanczos' method: whether a symmetric matrix is definite, and how hard it is for
// conjugate gradients.
#pragma once

#include <fettle/core/host_device.hpp>

#include "../spmv/csr_serial.hpp"
#include "linear_system.hpp"

namespace solvers {

inline constexpr int lanczos_steps = 16;

/// What scales row and column i so that the diagonal is 1 or -1; 1 where it is 0.
FETTLE_HOST_DEVICE inline double scale_of(double diagonal) {
  return diagonal == 0 ? 1 : 1 / std::sqrt(std::fabs(diagonal));
}

/// Element i of the right-hand side that the steps start from: random numbers about 1, for a vector
/// of ones is an eigenvector where all rows have one sum.
FETTLE_HOST_DEVICE inline double start_of(index i) {
  const auto mixed = static_cast<std::uint32_t>(i) * 2654435761U;
  return 0.5 + static_cast<double>(mixed ^ (mixed >> 15)) * 0x1p-32;
}

/// Of the matrix, scaled to a diagonal of 1 or -1, in the subspace of the first steps from
/// start_of: the least eigenvalue over the greatest one, below 0 of an indefinite matrix, and what
/// conjugate gradients with the diagonal as preconditioner do in so many steps. Zeros where the
/// matrix is not symmetric. Cost: lanczos_steps products with the matrix.
inline krylov_numbers lanczos(const linear_system& s) {
  const auto size = static_cast<std::size_t>(s.size());
  if (!s.is_symmetric || size == 0) return {};
  vector v(size);
  vector before(size);
  vector w(size);
  vector u(size);
  double beta = 0;
  for (std::size_t i = 0; i < size; ++i) {
    w[i] = start_of(static_cast<index>(i)) * scale_of(s.diagonal[i]);
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
  return krylov_numbers(t);
}

inline double feature_of(const linear_system& s, krylov which) {
  return s.krylov.get(which, [&] { return lanczos(s); })[which];
}

}  // namespace solvers
