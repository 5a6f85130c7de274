// autocorrelation: y[l] = sum of x[i] x[i + l] for all i, for 64 lags l: few long rows that
// overlap.
//
// float -> double. In Fettle: map > reduce(plus) over range(0, 64), of map(multiplies,
// subsequence(x, 0, n), subsequence(x, l, n)), summed in double.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct autocorrelation {
  static constexpr const char* name = "autocorrelation";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = double;
  static constexpr double tolerance = 1e-9;
  static constexpr index lags = 64;

  /// Each of the lags reads all.
  static auto make(const shape& like) {
    const index n = like.elements(4 * lags / 8);
    return problem(lags, lags, reals<float>(n + lags, 8, -1), n);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index l, view<const float> x, index n, view<double> y) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index i = 0; i < n; ++i) sum += double(x[i]) * double(x[i + l]);
    y[l] = sum;
  }

#ifdef __CUDACC__
  // 64 parts of the signal a lag, a warp each, added up by atomics.
  static constexpr const char* second_name = "64 warps a lag, atomics";
  static void second(const device& on, view<const float> x, index n, view<double> y) {
    check(cudaMemsetAsync(y.data(), 0, sizeof(double) * lags, on.stream), "cudaMemsetAsync");
    for_each_warp(on.stream, 64 * lags, [=] __device__(index warp, int lane) {
      const index l = warp % lags;
      double sum = 0;
      for (index i = warp / lags * 32 + lane; i < n; i += 64 * 32) {
        sum += double(x[i]) * double(x[i + l]);
      }
      sum = warp_fold(sum, plus{});
      if (lane == 0) atomicAdd(&y[l], sum);
    });
  }
#endif
};

}  // namespace suite
