// log_sums: y[r] = log(sum of exp(x[k]) for k in row r), safe from overflow; -3e38 of an empty row.
//
// float -> float; combined as (greatest, sum of exp(x - greatest)) of 8 bytes, with an exponential.
// In Fettle: map > reduce(merge) over a nest, of map(x -> (x, 1)); then greatest + log(sum).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct log_sums {
  struct state {
    float greatest;
    float sum;
  };
  struct merge {
    FETTLE_HOST_DEVICE state operator()(const state& a, const state& b) const {
      const bool larger = a.greatest < b.greatest;
      const state& high = larger ? b : a;
      const state& low = larger ? a : b;
      return {high.greatest, high.sum + low.sum * std::exp(low.greatest - high.greatest)};
    }
  };
  FETTLE_HOST_DEVICE static float result(const state& all) {
    return all.sum > 0 ? all.greatest + std::log(all.sum) : -3e38f;
  }

  static constexpr const char* name = "log_sums";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-4;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(4);
    return problem(rows_of(offsets), rows_of(offsets), reals<float>(offsets.back(), 8, -20, 20),
                   offsets);
  }

  /// In two passes over the row.
  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<float> y) {
    float greatest = -3e38f;
#pragma omp simd reduction(max : greatest)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      greatest = greatest < x[k] ? x[k] : greatest;
    }
    Real sum = 0;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) sum += std::exp(Real(x[k] - greatest));
    y[r] = sum > 0 ? float(Real(greatest) + std::log(sum)) : -3e38f;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<float> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index r, int lane) {
      float greatest = -3e38f;
      for (index k = offsets[r] + lane; k < offsets[r + 1]; k += 32) {
        greatest = fmaxf(greatest, x[k]);
      }
      greatest = __shfl_sync(~0u, warp_fold(greatest, maximum{}), 0);
      float sum = 0;
      for (index k = offsets[r] + lane; k < offsets[r + 1]; k += 32) sum += expf(x[k] - greatest);
      sum = warp_fold(sum, plus{});
      if (lane == 0) y[r] = result({greatest, sum});
    });
  }
#endif
};

}  // namespace suite
