// gelu: y[i] = x / 2 (1 + tanh(0.79788456 (x + 0.044715 x^3))), x = x[i]; by an exponential,
// because (1 + tanh(z)) / 2 = 1 / (1 + exp(-2 z)).
//
// float -> float, with an exponential. In Fettle: map.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#endif

namespace suite {

struct gelu {
  struct activation {
    template <typename Real>
    FETTLE_HOST_DEVICE Real operator()(Real x) const {
      return x / (1 + std::exp(Real(-1.59576912) * (x + Real(0.044715) * x * x * x)));
    }
  };

  static constexpr const char* name = "gelu";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const index n = like.elements(8);
    return problem(n, n, reals<float>(n, 11, -4, 4));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> x, view<float> y) {
    y[i] = float(activation{}(Real(x[i])));
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 elements";
  static void second(const device& on, view<const float> x, view<float> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < y.size(); i += threads) y[i] = activation{}(x[i]);
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const float> x, view<float> y) {
    thrust::transform(thrust::cuda::par_nosync.on(on.stream), x.begin(), x.end(), y.begin(),
                      activation{});
  }
#endif
};

}  // namespace suite
