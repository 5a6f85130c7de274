// envelope: y[i] = |x[i]| of complex numbers.
//
// struct of 2 doubles (16 bytes) -> double. In Fettle: map.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#endif

namespace suite {

struct envelope {
  struct complex {
    double re;
    double im;
  };
  struct magnitude {
    FETTLE_HOST_DEVICE double operator()(const complex& z) const {
      return std::sqrt(z.re * z.re + z.im * z.im);
    }
  };

  static constexpr const char* name = "envelope";
  static constexpr const char* types = "16 bytes";
  static constexpr family shapes = family::sizes;
  using output = double;
  static constexpr double tolerance = 1e-12;

  static auto make(const shape& like) {
    const index n = like.elements(24);
    const auto x = filled(
        n, [](std::uint64_t i) { return complex{fb::unit(i, 5) - 0.5, fb::unit(i, 6) - 0.5}; });
    return problem(n, n, x);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const complex> x, view<double> y) {
    y[i] = magnitude{}(x[i]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 numbers";
  static void second(const device& on, view<const complex> x, view<double> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < y.size(); i += threads) y[i] = magnitude{}(x[i]);
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const complex> x, view<double> y) {
    thrust::transform(thrust::cuda::par_nosync.on(on.stream), x.begin(), x.end(), y.begin(),
                      magnitude{});
  }
#endif
};

}  // namespace suite
