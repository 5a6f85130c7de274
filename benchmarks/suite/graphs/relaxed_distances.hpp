// relaxed_distances: y[v] = min(d[v], min of d[source[k]] + w[k] for k in row v): one step of
// Bellman and Ford over the edges that enter each vertex.
//
// float, int -> float. In Fettle: map > reduce(minimum) over two nests and d, of map(plus, w,
// gather(d, sources)), seed d[v].
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct relaxed_distances {
  static constexpr const char* name = "relaxed_distances";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-6;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const index vertices = rows_of(offsets);
    return problem(vertices, vertices, reals<float>(offsets.back(), 1),
                   integers<index>(offsets.back(), 2, vertices), offsets,
                   reals<float>(vertices, 3, 0, 100));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index v, view<const float> w, view<const index> source,
                                      view<const index> offsets, view<const float> d,
                                      view<float> y) {
    Real least = d[v];
    for (index k = offsets[v]; k < offsets[v + 1]; ++k) {
      const Real through = Real(d[source[k]]) + Real(w[k]);
      least = through < least ? through : least;
    }
    y[v] = float(least);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> w, view<const index> source,
                     view<const index> offsets, view<const float> d, view<float> y) {
    a_warp_a_row(
        on.stream, offsets, 3e38f, [=] __device__(index, index k) { return d[source[k]] + w[k]; },
        minimum{}, [=] __device__(index v, float least) { y[v] = fminf(d[v], least); });
  }
#endif
};

}  // namespace suite
