// joint_rotations: y[r] = the product of the unit quaternions of row r, from left to right.
//
// struct of 4 doubles (32 bytes) -> struct; not commutative, 28 operations an element. In Fettle:
// map > reduce(multiply) over a nest, seed (1, 0, 0, 0).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct joint_rotations {
  struct quaternion {
    double w, x, y, z;
  };
  struct multiply {
    FETTLE_HOST_DEVICE quaternion operator()(const quaternion& a, const quaternion& b) const {
      return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
              a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
              a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
              a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }
  };

  static constexpr const char* name = "joint_rotations";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::rows;
  using output = quaternion;
  using component = double;
  static constexpr double tolerance = 1e-8;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(32);
    const auto q = filled(offsets.back(), [](std::uint64_t k) {
      const double a = fb::unit(k, 6) - 0.5;
      const double b = fb::unit(k, 7) - 0.5;
      const double c = fb::unit(k, 8) - 0.5;
      const double scale = 1 / std::sqrt(1 + a * a + b * b + c * c);
      return quaternion{scale, a * scale, b * scale, c * scale};
    });
    return problem(rows_of(offsets), rows_of(offsets), q, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const quaternion> q, view<const index> offsets,
                                      view<quaternion> y) {
    quaternion all{1, 0, 0, 0};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) all = multiply{}(all, q[k]);
    y[r] = all;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const quaternion> q, view<const index> offsets,
                     view<quaternion> y) {
    an_ordered_warp_a_row(
        on.stream, offsets, quaternion{1, 0, 0, 0}, [=] __device__(index, index k) { return q[k]; },
        multiply{}, [=] __device__(index r, const quaternion& all) { y[r] = all; });
  }
#endif
};

}  // namespace suite
