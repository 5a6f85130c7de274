// edge_contrasts: y[e] = w[e] * |x[from[e]] - x[to[e]]|.
//
// float, int -> float. In Fettle: map over w, gather(x, from), gather(x, to).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct edge_contrasts {
  static constexpr const char* name = "edge_contrasts";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-6;

  /// Edges of a mesh: their ends lie near each other in memory.
  static auto make(const shape& like) {
    const index edges = like.elements(17);
    const index vertices = edges / 4 + 1;
    const auto near = [=](std::uint64_t seed) {
      return filled(edges, [=](std::uint64_t e) {
        const auto offset = static_cast<index>(fb::hash(e, seed) % 64);
        return std::min(static_cast<index>(e / 4) + offset, vertices - 1);
      });
    };
    return problem(edges, edges, reals<float>(edges, 7), near(8), near(9),
                   reals<float>(vertices, 10));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index e, view<const float> w, view<const index> from,
                                      view<const index> to, view<const float> x, view<float> y) {
    y[e] = float(Real(w[e]) * std::abs(Real(x[from[e]]) - Real(x[to[e]])));
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 edges";
  static void second(const device& on, view<const float> w, view<const index> from,
                     view<const index> to, view<const float> x, view<float> y) {
    const index threads = (w.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index e = first; e < w.size(); e += threads) y[e] = w[e] * fabsf(x[from[e]] - x[to[e]]);
    });
  }
#endif
};

}  // namespace suite
