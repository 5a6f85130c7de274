// resampled_image: y[i][j] = x at ((5 i + 1) / 4, (4 j + 3) / 5), bilinear between four pixels;
// those of the border repeat.
//
// float -> float. In Fettle: map over range(0, pixels), of a function that reads the image.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct resampled_image {
  static constexpr const char* name = "resampled_image";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::matrices;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(8);
    return problem(rows, rows * columns, reals<float>(rows * columns, 6), rows, columns);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static float at(view<const float> x, index rows, index columns, index i,
                                     index j) {
    const index top = minimum{}((5 * i + 1) / 4, rows - 1);
    const index left = (4 * j + 3) / 5;
    const float* const upper = x.data() + top * columns;
    const float* const lower = x.data() + (top + 1 < rows ? top + 1 : top) * columns;
    const index next = left + 1 < columns ? left + 1 : left;
    const Real a = Real((4 * j + 3) % 5) / 5;
    const Real b = Real((5 * i + 1) % 4) / 4;
    return float((1 - b) * ((1 - a) * Real(upper[left]) + a * Real(upper[next])) +
                 b * ((1 - a) * Real(lower[left]) + a * Real(lower[next])));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> x, index rows, index columns,
                                      view<float> y) {
    for (index j = 0; j < columns; ++j) y[i * columns + j] = at<Real>(x, rows, columns, i, j);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread a pixel";
  static void second(const device& on, view<const float> x, index rows, index columns,
                     view<float> y) {
    for_each_thread(on.stream, x.size(), [=] __device__(index k) {
      y[k] = at<float>(x, rows, columns, k / columns, k % columns);
    });
  }
#endif
};

}  // namespace suite
