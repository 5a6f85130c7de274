// Preconditioned conjugate gradients and BiCGStab (van der Vorst 1992). Each starts from x = 0 and
// says whether it has converged.
#pragma once

#include "product.hpp"

namespace solvers {

inline constexpr double tolerance = 1e-8;  ///< of the residual, relative to the right-hand side
inline constexpr int most_iterations = 2000;

namespace detail {

inline double dot(const vector& p, const vector& q) {
  double even = 0;
  double odd = 0;
  std::size_t i = 0;
  for (; i + 1 < p.size(); i += 2) {
    even += p[i] * q[i];
    odd += p[i + 1] * q[i + 1];
  }
  return i < p.size() ? even + odd + p[i] * q[i] : even + odd;
}

inline double norm(const vector& p) { return std::sqrt(dot(p, p)); }

}  // namespace detail

/// || b - A x || / || b ||.
inline double relative_residual(const linear_system& system, const vector& b, const vector& x) {
  vector r(b.size());
  spmv::csr_serial(system.a, x, r);
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
  const double scale = detail::norm(b);
  return scale == 0 ? detail::norm(r) : detail::norm(r) / scale;
}

/// Needs a symmetric matrix, and converges where it is positive definite.
template <class Preconditioner>
bool conjugate_gradients(const linear_system& system, const vector& b, vector& x) {
  Preconditioner m(system);
  const double target = tolerance * detail::norm(b);
  if (target == 0) return true;
  if (!m.is_usable) return false;
  vector r = b;
  vector z(b.size());
  vector q(b.size());
  m.apply(r, z);
  vector p = z;
  auto times_p = product.bind(system.a, p, q);
  double rz = detail::dot(r, z);
  for (int n = 0; n < most_iterations; ++n) {
    times_p();
    const double curvature = detail::dot(p, q);
    if (!(curvature > 0) || !(rz > 0)) return false;  // not positive definite, or not a number
    const double alpha = rz / curvature;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    if (detail::norm(r) <= target) return true;
    m.apply(r, z);
    const double next = detail::dot(r, z);
    const double beta = next / rz;
    for (std::size_t i = 0; i < x.size(); ++i) p[i] = z[i] + beta * p[i];
    rz = next;
  }
  return false;
}

template <class Preconditioner>
bool bicgstab(const linear_system& system, const vector& b, vector& x) {
  Preconditioner m(system);
  const double target = tolerance * detail::norm(b);
  if (target == 0) return true;
  if (!m.is_usable) return false;
  vector r = b;
  const vector shadow = b;
  vector p = b;
  vector p_hat(b.size());
  vector s_hat(b.size());
  vector v(b.size());
  vector t(b.size());
  auto times_p = product.bind(system.a, p_hat, v);
  auto times_s = product.bind(system.a, s_hat, t);
  double rho = detail::dot(shadow, r);
  for (int n = 0; n < most_iterations / 2; ++n) {  // two products each
    m.apply(p, p_hat);
    times_p();
    const double alpha = rho / detail::dot(shadow, v);
    if (!std::isfinite(alpha)) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p_hat[i];
      r[i] -= alpha * v[i];
    }
    if (detail::norm(r) <= target) return true;
    m.apply(r, s_hat);
    times_s();
    const double omega = detail::dot(t, r) / detail::dot(t, t);
    if (!std::isfinite(omega) || omega == 0) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += omega * s_hat[i];
      r[i] -= omega * t[i];
    }
    if (detail::norm(r) <= target) return true;
    const double next = detail::dot(shadow, r);
    const double beta = next / rho * (alpha / omega);
    if (!std::isfinite(beta)) return false;
    for (std::size_t i = 0; i < x.size(); ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    rho = next;
  }
  return false;
}

}  // namespace solvers
