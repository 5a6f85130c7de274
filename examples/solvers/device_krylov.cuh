// krylov.hpp on a GPU: preconditioned conjugate gradients and BiCGStab (van der Vorst 1992), whose
// scalars stay on the device. The host looks every few iterations whether they have ended.
#pragma once

#include "device_system.cuh"

namespace solvers::device {

inline constexpr double tolerance = 1e-8;  ///< of the residual, relative to the right-hand side
inline constexpr int most_iterations = 2000;
inline constexpr int iterations_between_looks = 8;

/// The bodies of the loops of an iteration: what happens to element i, what is added up, and what
/// becomes of the sums.
namespace step {

struct start_directions {  // conjugate gradients
  const double* r;
  const double* z;
  double* p;
  __device__ two_sums operator()(int i, const scalars&) const {
    p[i] = z[i];
    return {r[i] * z[i], 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.rho = sums.first;
    if (!(s.rho > 0)) s.state = status::failed;
  }
};

struct curvature {
  const double* p;
  const double* q;
  __device__ two_sums operator()(int i, const scalars&) const { return {p[i] * q[i], 0}; }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.alpha = s.rho / sums.first;
    if (!(sums.first > 0)) s.state = status::failed;  // not positive definite, or not a number
  }
};

/// x += alpha p, r -= alpha q; the residual says whether that is enough.
struct advance {
  const double* p;
  const double* q;
  double* x;
  double* r;
  __device__ two_sums operator()(int i, const scalars& s) const {
    x[i] += s.alpha * p[i];
    r[i] -= s.alpha * q[i];
    return {r[i] * r[i], 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const { s.tell_residual(sums.first); }
};

struct conjugate {
  const double* r;
  const double* z;
  __device__ two_sums operator()(int i, const scalars&) const { return {r[i] * z[i], 0}; }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.beta = sums.first / s.rho;
    s.rho = sums.first;
    if (!(s.rho > 0)) s.state = status::failed;
  }
};

struct turn {
  const double* z;
  double* p;
  __device__ two_sums operator()(int i, const scalars& s) const {
    p[i] = z[i] + s.beta * p[i];
    return {};
  }
  __device__ void finish(scalars&, const two_sums&) const {}
};

/// The square of || b - A x ||, a thread a row, into rho.
struct square_residual {
  csr_view a;
  const double* b;
  const double* x;
  __device__ two_sums operator()(int i, const scalars&) const {
    double left = b[i];
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) left -= a.values[k] * x[a.columns[k]];
    return {left * left, 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const { s.rho = sums.first; }
};

struct start_shadow {  // BiCGStab
  const double* b;
  __device__ two_sums operator()(int i, const scalars&) const { return {b[i] * b[i], 0}; }
  __device__ void finish(scalars& s, const two_sums& sums) const { s.rho = sums.first; }
};

struct against_shadow {
  const double* shadow;
  const double* v;
  __device__ two_sums operator()(int i, const scalars&) const { return {shadow[i] * v[i], 0}; }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.alpha = s.needed(s.rho / sums.first);
  }
};

struct stabilise {
  const double* r;
  const double* t;
  __device__ two_sums operator()(int i, const scalars&) const { return {t[i] * r[i], t[i] * t[i]}; }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.omega = s.needed(sums.first / sums.second);
    if (s.omega == 0) s.state = status::failed;
  }
};

struct advance_stabilised {
  const double* s_hat;
  const double* t;
  const double* shadow;
  double* x;
  double* r;
  __device__ two_sums operator()(int i, const scalars& s) const {
    x[i] += s.omega * s_hat[i];
    r[i] -= s.omega * t[i];
    return {r[i] * r[i], shadow[i] * r[i]};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    s.tell_residual(sums.first);
    if (s.state != status::running) return;
    s.beta = s.needed(sums.second / s.rho * (s.alpha / s.omega));
    s.rho = sums.second;
  }
};

struct turn_stabilised {
  const double* r;
  const double* v;
  double* p;
  __device__ two_sums operator()(int i, const scalars& s) const {
    p[i] = r[i] + s.beta * (p[i] - s.omega * v[i]);
    return {};
  }
  __device__ void finish(scalars&, const two_sums&) const {}
};

}  // namespace step

/// Calls iteration() until the solver has ended, at most `most` times and until the time is over;
/// whether it has converged. It looks after 1, 2, 4 and 8 iterations, and then after every eighth.
template <class Iteration>
bool iterate(const workspace& work, const time_limit& limit, int most, const Iteration& iteration) {
  for (int n = 1; n <= most; ++n) {
    iteration();
    const bool looks =
        n < iterations_between_looks ? (n & (n - 1)) == 0 : n % iterations_between_looks == 0;
    if (!looks && n < most) continue;
    if (const status state = work.state(); state != status::running)
      return state == status::converged;
    if (limit.is_over()) return false;
  }
  return false;
}

/// || b - A x ||.
inline double residual_norm(const system& s, const array<double>& b, const array<double>& x) {
  const workspace work(0);
  work.run(s.size(), step::square_residual{s.a.view(), b.data(), x.data()});
  return std::sqrt(work.now().rho);
}

/// Needs a symmetric matrix, and converges where it is positive definite. `target` is the norm of
/// the residual that is small enough; x is 0.
template <class Preconditioner>
bool conjugate_gradients(const system& s, const array<double>& b, double target, array<double>& x) {
  if (target == 0) return true;
  const Preconditioner m(s);
  if (!m.is_usable) return false;
  const int n = s.size();
  const workspace work(target);
  array<double> r = b;
  array<double> z(b.size());
  array<double> p(b.size());
  array<double> q(b.size());
  auto times_p = product.bind(s.a, p, q);
  m.apply(r, z);
  work.run(n, step::start_directions{r.data(), z.data(), p.data()});
  return iterate(work, s.limit, most_iterations, [&] {
    times_p();
    work.run(n, step::curvature{p.data(), q.data()});
    work.run(n, step::advance{p.data(), q.data(), x.data(), r.data()});
    m.apply(r, z);
    work.run(n, step::conjugate{r.data(), z.data()});
    work.run(n, step::turn{z.data(), p.data()});
  });
}

template <class Preconditioner>
bool bicgstab(const system& s, const array<double>& b, double target, array<double>& x) {
  if (target == 0) return true;
  const Preconditioner m(s);
  if (!m.is_usable) return false;
  const int n = s.size();
  const workspace work(target);
  array<double> r = b;
  array<double> p = b;
  array<double> p_hat(b.size());
  array<double> s_hat(b.size());
  array<double> v(b.size());
  array<double> t(b.size());
  auto times_p = product.bind(s.a, p_hat, v);
  auto times_s = product.bind(s.a, s_hat, t);
  work.run(n, step::start_shadow{b.data()});
  return iterate(work, s.limit, most_iterations / 2, [&] {  // two products each
    m.apply(p, p_hat);
    times_p();
    work.run(n, step::against_shadow{b.data(), v.data()});
    work.run(n, step::advance{p_hat.data(), v.data(), x.data(), r.data()});
    m.apply(r, s_hat);
    times_s();
    work.run(n, step::stabilise{r.data(), t.data()});
    work.run(n, step::advance_stabilised{s_hat.data(), t.data(), b.data(), x.data(), r.data()});
    work.run(n, step::turn_stabilised{r.data(), v.data(), p.data()});
  });
}

}  // namespace solvers::device
