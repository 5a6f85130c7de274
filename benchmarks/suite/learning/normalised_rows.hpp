// normalised_rows: y[k] = (x[k] - mean) / sqrt(variance + 1e-5), of the row of k: layer
// normalisation.
//
// float -> float. In Fettle: map > reduce over a nest to a state of (count, mean, sum of squared
// distances) a row, as row_moments has, then map > map over the nest and those.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct normalised_rows {
  static constexpr const char* name = "normalised_rows";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 2e-3;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    return problem(rows_of(offsets), offsets.back(), reals<float>(offsets.back(), 6, -1), offsets);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<float> y) {
    const index first = offsets[r];
    const index last = offsets[r + 1];
    const Real count = Real(last > first ? last - first : 1);
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index k = first; k < last; ++k) sum += Real(x[k]);
    const Real mean = sum / count;
    Real squares = 0;
#pragma omp simd reduction(+ : squares)
    for (index k = first; k < last; ++k) squares += (Real(x[k]) - mean) * (Real(x[k]) - mean);
    const Real scale = 1 / std::sqrt(squares / count + Real(1e-5));
    for (index k = first; k < last; ++k) y[k] = float((Real(x[k]) - mean) * scale);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<float> y) {
    for_each_warp(on.stream, offsets.size() - 1, [=] __device__(index r, int lane) {
      const index first = offsets[r];
      const index last = offsets[r + 1];
      const float count = float(max(last - first, 1));
      float sum = 0;
      for (index k = first + lane; k < last; k += 32) sum += x[k];
      const float mean = __shfl_sync(~0u, warp_fold(sum, plus{}), 0) / count;
      float squares = 0;
      for (index k = first + lane; k < last; k += 32) squares += (x[k] - mean) * (x[k] - mean);
      squares = __shfl_sync(~0u, warp_fold(squares, plus{}), 0);
      const float scale = rsqrtf(squares / count + 1e-5f);
      for (index k = first + lane; k < last; k += 32) y[k] = (x[k] - mean) * scale;
    });
  }
#endif
};

}  // namespace suite
