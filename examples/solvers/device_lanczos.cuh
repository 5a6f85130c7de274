// lanczos.hpp on a GPU: four launches a step, and one copy of the coefficients at the end.
#pragma once

#include "device_system.cuh"
#include "lanczos.hpp"

namespace solvers::device {
namespace step {

struct start_lanczos {
  const double* diagonal;
  double* w;
  double* v;
  __device__ two_sums operator()(int i, const scalars&) const {
    w[i] = 1 / scale_of(diagonal[i]);
    v[i] = 0;
    return {w[i] * w[i], 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const { s.beta = sqrt(sums.first); }
};

/// The next vector takes the place of the one before the last, which it is combined with first.
struct normalise {
  const double* diagonal;
  const double* w;
  double* v;
  double* u;
  __device__ two_sums operator()(int i, const scalars& s) const {
    v[i] = w[i] / s.beta;
    u[i] = v[i] * scale_of(diagonal[i]);
    return {};
  }
  __device__ void finish(scalars&, const two_sums&) const {}
};

struct project {
  const double* diagonal;
  const double* q;
  const double* v;
  double* w;
  double* coefficient;
  __device__ two_sums operator()(int i, const scalars&) const {
    w[i] = q[i] * scale_of(diagonal[i]);
    return {w[i] * v[i], 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    *coefficient = s.alpha = sums.first;
  }
};

struct orthogonalise {
  const double* v;
  const double* before;
  double* w;
  double* coefficient;
  bool is_first;
  __device__ two_sums operator()(int i, const scalars& s) const {
    w[i] -= s.alpha * v[i] + (is_first ? 0 : s.beta) * before[i];
    return {w[i] * w[i], 0};
  }
  __device__ void finish(scalars& s, const two_sums& sums) const {
    *coefficient = s.beta = sqrt(sums.first);
    if (!(s.beta > 1e-10)) s.state = status::failed;
  }
};

}  // namespace step

/// As the host's.
inline double least_ritz_value(const system& s) {
  if (!s.host.is_symmetric || s.size() == 0) return 0;
  const int n = s.size();
  const auto size = static_cast<std::size_t>(n);
  const workspace work(0);
  constexpr std::size_t coefficients = 2 * lanczos_steps;
  auto* const memory = static_cast<double*>(
      examples::device::scratch(3, (coefficients + 5 * size) * sizeof(double)));
  double* v = memory + coefficients;
  double* before = v + size;
  double* const w = before + size;
  double* const u = w + size;
  double* const q = u + size;
  check(cudaMemsetAsync(memory, 0, coefficients * sizeof(double)), "cudaMemsetAsync");
  work.run(n, step::start_lanczos{s.diagonal.data(), w, before});
  for (int k = 0; k < lanczos_steps; ++k) {
    work.run(n, step::normalise{s.diagonal.data(), w, v, u});
    launch_product<8>(s.a.view(), u, q);
    work.run(n, step::project{s.diagonal.data(), q, v, w, memory + 2 * k});
    work.run(n, step::orthogonalise{v, before, w, memory + 2 * k + 1, k == 0});
    std::swap(v, before);
  }
  vector found(coefficients);
  check(cudaMemcpy(found.data(), memory, coefficients * sizeof(double), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  tridiagonal t;
  for (std::size_t k = 0; k < lanczos_steps; ++k) {
    t.diagonal.push_back(found[2 * k]);
    t.beside.push_back(found[2 * k + 1]);
    if (!(found[2 * k + 1] > 1e-10)) break;
  }
  return t.least_to_greatest();
}

}  // namespace solvers::device
