// gyration_radii: y[r] = the root of the mean squared distance of the atoms of row r from their
// centre, weighted by their masses; 0 of an empty row.
//
// struct of 3 floats (12 bytes), byte -> float; a table of 120 masses. In Fettle: map > row program
// over two nests: the centre by reduce(add), then reduce(plus) of the distances from it.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct gyration_radii {
  struct point {
    float x;
    float y;
    float z;
  };
  /// Of several atoms: the sum of the masses, and of their products with the coordinates.
  struct moment {
    float x;
    float y;
    float z;
    float mass;
  };
  struct add {
    FETTLE_HOST_DEVICE moment operator()(const moment& a, const moment& b) const {
      return {a.x + b.x, a.y + b.y, a.z + b.z, a.mass + b.mass};
    }
  };
  template <typename Real>
  FETTLE_HOST_DEVICE static Real square(const point& p, Real x, Real y, Real z) {
    const Real d[3] = {Real(p.x) - x, Real(p.y) - y, Real(p.z) - z};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  }

  static constexpr const char* name = "gyration_radii";
  static constexpr const char* types = "12 + 1 bytes";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-3;
  static constexpr index elements = 120;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(13);
    const auto points = filled(offsets.back(), [](std::uint64_t k) {
      return point{float(fb::unit(k, 1)), float(fb::unit(k, 2)), float(fb::unit(k, 3))};
    });
    return problem(rows_of(offsets), rows_of(offsets), points,
                   integers<std::uint8_t>(offsets.back(), 4, elements), offsets,
                   reals<float>(elements, 5, 1, 300));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const point> p,
                                      view<const std::uint8_t> element, view<const index> offsets,
                                      view<const float> masses, view<float> y) {
    Real sum[4] = {};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      const Real m = masses[element[k]];
      sum[0] += m * Real(p[k].x);
      sum[1] += m * Real(p[k].y);
      sum[2] += m * Real(p[k].z);
      sum[3] += m;
    }
    for (int i = 0; i < 3; ++i) sum[i] /= sum[3];
    Real squares = 0;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      squares += Real(masses[element[k]]) * square(p[k], sum[0], sum[1], sum[2]);
    }
    y[r] = sum[3] > 0 ? float(std::sqrt(squares / sum[3])) : 0;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const point> p, view<const std::uint8_t> element,
                     view<const index> offsets, view<const float> masses, view<float> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index r, int lane) {
      const index first = offsets[r];
      const index last = offsets[r + 1];
      moment all{0, 0, 0, 0};
      for (index k = first + lane; k < last; k += 32) {
        const float m = masses[element[k]];
        all = add{}(all, {m * p[k].x, m * p[k].y, m * p[k].z, m});
      }
      all = warp_fold(all, add{});
      const float mass = __shfl_sync(~0u, all.mass, 0);
      const float cx = __shfl_sync(~0u, all.x, 0) / mass;
      const float cy = __shfl_sync(~0u, all.y, 0) / mass;
      const float cz = __shfl_sync(~0u, all.z, 0) / mass;
      float squares = 0;
      for (index k = first + lane; k < last; k += 32) {
        squares += masses[element[k]] * square(p[k], cx, cy, cz);
      }
      squares = warp_fold(squares, plus{});
      if (lane == 0) y[r] = first < last ? sqrtf(squares / mass) : 0;
    });
  }
#endif
};

}  // namespace suite
