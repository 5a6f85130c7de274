// correlations: y[r] = Pearson's correlation of the points (a, b) of row r; 0 of fewer than two.
//
// struct of 2 floats -> double; combined as six sums in double, 48 bytes. In Fettle: map > reduce
// over a nest, of map(point -> (1, a, b, a a, a b, b b)); then the quotient.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct correlations {
  struct point {
    float a;
    float b;
  };
  struct sums {
    double n, a, b, aa, ab, bb;
  };
  struct add {
    FETTLE_HOST_DEVICE sums operator()(const sums& s, const sums& t) const {
      return {s.n + t.n, s.a + t.a, s.b + t.b, s.aa + t.aa, s.ab + t.ab, s.bb + t.bb};
    }
  };
  FETTLE_HOST_DEVICE static sums of(const point& p) {
    const double a = p.a;
    const double b = p.b;
    return {1, a, b, a * a, a * b, b * b};
  }
  FETTLE_HOST_DEVICE static double result(const sums& s) {
    if (s.n < 2) return 0;
    const double spread = (s.aa - s.a * s.a / s.n) * (s.bb - s.b * s.b / s.n);
    return spread > 0 ? (s.ab - s.a * s.b / s.n) / std::sqrt(spread) : 0;
  }

  static constexpr const char* name = "correlations";
  static constexpr const char* types = "8 bytes";
  static constexpr family shapes = family::rows;
  using output = double;
  static constexpr double tolerance = 1e-6;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const auto points = filled(offsets.back(), [](std::uint64_t k) {
      const double a = fb::unit(k, 5) - 0.5;
      return point{float(a), float(0.5 * a + 0.5 * fb::unit(k, 6))};
    });
    return problem(rows_of(offsets), rows_of(offsets), points, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const point> x, view<const index> offsets,
                                      view<double> y) {
    double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
#pragma omp simd reduction(+ : a, b, aa, ab, bb)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const sums one = of(x[k]);
      a += one.a;
      b += one.b;
      aa += one.aa;
      ab += one.ab;
      bb += one.bb;
    }
    y[r] = result({double(offsets[r + 1] - offsets[r]), a, b, aa, ab, bb});
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const point> x, view<const index> offsets,
                     view<double> y) {
    a_warp_a_row(
        on.stream, offsets, sums{}, [=] __device__(index, index k) { return of(x[k]); }, add{},
        [=] __device__(index r, const sums& all) { y[r] = result(all); });
  }
#endif
};

}  // namespace suite
