// horizons: y[k] = the greatest slope at which a point before k of its ray is seen from the eye of
// the ray, which is the first point's neighbour; -1e30 of the first point.
//
// 2 bytes -> float; a division an element. In Fettle: map > scan(maximum) over a nest and the eyes,
// of map((height, distance) -> slope, row, range(1, size + 1)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct horizons {
  static constexpr const char* name = "horizons";
  static constexpr const char* types = "2 bytes";
  static constexpr family shapes = family::rows;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;
  static constexpr float least = -1e30f;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(6);
    return problem(rows_of(offsets), offsets.back(),
                   integers<std::int16_t>(offsets.back(), 1, 3000), offsets,
                   reals<float>(rows_of(offsets), 2, 0, 3000));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index r, view<const std::int16_t> height,
                                      view<const index> offsets, view<const float> eye,
                                      view<float> y) {
    Real greatest = least;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      y[k] = float(greatest);
      greatest = maximum{}(greatest, (Real(height[k]) - Real(eye[r])) / Real(k + 1 - offsets[r]));
    }
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::int16_t> height, view<const index> offsets,
                     view<const float> eye, view<float> y) {
    for_each_warp(on.stream, eye.size(), [=] __device__(index r, int lane) {
      const index begin = offsets[r];
      const index end = offsets[r + 1];
      float before = least;
      for (index first = begin; first < end; first += 32) {
        const index k = first + lane;
        float greatest = k < end ? (float(height[k]) - eye[r]) / float(k + 1 - begin) : least;
        for (int distance = 1; distance < 32; distance *= 2) {
          const float other = __shfl_up_sync(~0u, greatest, distance);
          if (lane >= distance) greatest = fmaxf(greatest, other);
        }
        const float previous = __shfl_up_sync(~0u, greatest, 1);
        if (k < end) y[k] = lane == 0 ? before : fmaxf(before, previous);
        before = fmaxf(before, __shfl_sync(~0u, greatest, 31));
      }
    });
  }
#endif
};

}  // namespace suite
