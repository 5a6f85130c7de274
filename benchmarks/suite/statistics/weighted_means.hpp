// weighted_means: y[r] = sum of w[k] x[k] / sum of w[k] for k in row r; 0 where it is empty.
//
// two floats -> float. In Fettle: map > reduce over two nests, of map((w, x) -> (w x, w)); then the
// quotient.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct weighted_means {
  struct sums {
    float weighted;
    float weights;
  };
  struct add {
    FETTLE_HOST_DEVICE sums operator()(const sums& a, const sums& b) const {
      return {a.weighted + b.weighted, a.weights + b.weights};
    }
  };

  static constexpr const char* name = "weighted_means";
  static constexpr const char* types = "2 x float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-3;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    return problem(rows_of(offsets), rows_of(offsets), reals<float>(offsets.back(), 3, 0.5, 1.5),
                   reals<float>(offsets.back(), 4), offsets);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> w, view<const float> x,
                                      view<const index> offsets, view<float> y) {
    Real weighted = 0;
    Real weights = 0;
#pragma omp simd reduction(+ : weighted, weights)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      weighted += Real(w[k]) * Real(x[k]);
      weights += Real(w[k]);
    }
    y[r] = weights > 0 ? float(weighted / weights) : 0;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> w, view<const float> x,
                     view<const index> offsets, view<float> y) {
    a_warp_a_row(
        on.stream, offsets, sums{0, 0},
        [=] __device__(index, index k) { return sums{w[k] * x[k], w[k]}; }, add{},
        [=] __device__(index r, const sums& all) {
          y[r] = all.weights > 0 ? all.weighted / all.weights : 0;
        });
  }
#endif
};

}  // namespace suite
