// mass_centres: y[r] = (mean of x weighted by mass, total mass) of the particles of cell r; zeros
// where it is empty.
//
// struct of 8 floats (32 bytes) -> struct of 4 floats. In Fettle: map > reduce(add) over a nest, of
// map(p -> (m x, m)); then the quotient.
#pragma once

#include "../common/particle.hpp"
#include "../common/processor.hpp"

namespace suite {

struct mass_centres {
  struct alignas(16) weighted {
    float x[3];
    float mass;
  };
  struct add {
    FETTLE_HOST_DEVICE weighted operator()(const weighted& a, const weighted& b) const {
      return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}, a.mass + b.mass};
    }
  };
  FETTLE_HOST_DEVICE static weighted result(const weighted& sum) {
    const float scale = sum.mass > 0 ? 1 / sum.mass : 0;
    return {{sum.x[0] * scale, sum.x[1] * scale, sum.x[2] * scale}, sum.mass};
  }

  static constexpr const char* name = "mass_centres";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::rows;
  using output = weighted;
  using component = float;
  using real = float;
  static constexpr double tolerance = 2e-3;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(32);
    return problem(rows_of(offsets), rows_of(offsets), particles(offsets.back()), offsets);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const particle> p, view<const index> offsets,
                                      view<weighted> y) {
    Real a = 0, b = 0, c = 0, mass = 0;
#pragma omp simd reduction(+ : a, b, c, mass)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      a += Real(p[k].mass) * Real(p[k].x[0]);
      b += Real(p[k].mass) * Real(p[k].x[1]);
      c += Real(p[k].mass) * Real(p[k].x[2]);
      mass += Real(p[k].mass);
    }
    y[r] = result({{float(a), float(b), float(c)}, float(mass)});
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const particle> p, view<const index> offsets,
                     view<weighted> y) {
    a_warp_a_row(
        on.stream, offsets, weighted{},
        [=] __device__(index, index k) {
          const float4 one = *reinterpret_cast<const float4*>(p[k].x);
          return weighted{{one.w * one.x, one.w * one.y, one.w * one.z}, one.w};
        },
        add{}, [=] __device__(index r, const weighted& sum) { y[r] = result(sum); });
  }
#endif
};

}  // namespace suite
