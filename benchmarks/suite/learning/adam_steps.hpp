// adam_steps: of each parameter p with gradient g and moments m, v: m = 0.9 m + 0.1 g; v = 0.99 v +
// 0.01 g^2; p -= 0.001 m / (sqrt(v) + 1e-8).
//
// four floats -> struct of 3 floats (p, m, v). In Fettle: map over p, g, m and v.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct adam_steps {
  struct state {
    float p, m, v;
  };

  static constexpr const char* name = "adam_steps";
  static constexpr const char* types = "4 x float";
  static constexpr family shapes = family::sizes;
  using output = state;
  using component = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const index n = like.elements(28);
    return problem(n, n, reals<float>(n, 7, -1), reals<float>(n, 8, -1), reals<float>(n, 9, -1),
                   reals<float>(n, 10, 0.01));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> p, view<const float> g,
                                      view<const float> m, view<const float> v, view<state> y) {
    const Real first = Real(0.9) * Real(m[i]) + Real(0.1) * Real(g[i]);
    const Real second_moment = Real(0.99) * Real(v[i]) + Real(0.01) * Real(g[i]) * Real(g[i]);
    const Real change = Real(0.001) * first / (std::sqrt(second_moment) + Real(1e-8));
    y[i] = {float(Real(p[i]) - change), float(first), float(second_moment)};
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 parameters";
  static void second(const device& on, view<const float> p, view<const float> g,
                     view<const float> m, view<const float> v, view<state> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < y.size(); i += threads) step<float>(i, p, g, m, v, y);
    });
  }
#endif
};

}  // namespace suite
