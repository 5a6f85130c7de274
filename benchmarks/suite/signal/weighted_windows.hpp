// weighted_windows: y[i] = sum of c[j] x[i + j] for j in 0 .. 30: a filter of 31 coefficients.
//
// float -> float. In Fettle: map > reduce(plus) over range(0, n), of map(multiplies, c,
// subsequence(x, i, 31)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct weighted_windows {
  static constexpr const char* name = "weighted_windows";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-4;
  static constexpr index width = 31;

  static auto make(const shape& like) {
    const index n = like.elements(8);
    return problem(n, n, reals<float>(n + width - 1, 3, -1), reals<float>(width, 4));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> x, view<const float> c,
                                      view<float> y) {
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index j = 0; j < width; ++j) sum += Real(c[j]) * Real(x[i + j]);
    y[i] = float(sum);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 windows";
  static void second(const device& on, view<const float> x, view<const float> c, view<float> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index thread) {
      const index first = 4 * thread;
      if (first + 4 > y.size()) {
        for (index i = first; i < y.size(); ++i) step<float>(i, x, c, y);
        return;
      }
      float sums[4] = {};
      float present[4] = {x[first], x[first + 1], x[first + 2], x[first + 3]};
      for (index j = 0; j < width; ++j) {
        for (int i = 0; i < 4; ++i) sums[i] += c[j] * present[i];
        for (int i = 0; i < 3; ++i) present[i] = present[i + 1];
        if (j + 1 < width) present[3] = x[first + j + 4];
      }
      reinterpret_cast<float4*>(y.data())[thread] = {sums[0], sums[1], sums[2], sums[3]};
    });
  }
#endif
};

}  // namespace suite
