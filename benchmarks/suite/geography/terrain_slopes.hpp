// terrain_slopes: y[i][j] = how steep the terrain is at x[i][j], in degrees, of the 3 x 3 heights
// around it by Horn's weights; those of the border repeat. Cells are 30 m wide.
//
// 2 bytes -> float; a root and an arc tangent a cell. In Fettle: map over halo(grid, 1, clamp).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct terrain_slopes {
  static constexpr const char* name = "terrain_slopes";
  static constexpr const char* types = "2 bytes";
  static constexpr family shapes = family::matrices;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(6);
    return problem(rows, rows * columns, integers<std::int16_t>(rows * columns, 2, 200), rows,
                   columns);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static float degrees(int down, int along) {
    const Real a = Real(down) / 240;
    const Real b = Real(along) / 240;
    return float(std::atan(std::sqrt(a * a + b * b)) * Real(57.29577951308232));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static float at(view<const std::int16_t> x, index rows, index columns, index i,
                                     index j) {
    const index above = (i > 0 ? i - 1 : 0) * columns;
    const index here = i * columns;
    const index below = (i + 1 < rows ? i + 1 : i) * columns;
    const index left = j > 0 ? j - 1 : 0;
    const index right = j + 1 < columns ? j + 1 : j;
    const int down = x[below + left] + 2 * x[below + j] + x[below + right] - x[above + left] -
                     2 * x[above + j] - x[above + right];
    const int along = x[above + right] + 2 * x[here + right] + x[below + right] - x[above + left] -
                      2 * x[here + left] - x[below + left];
    return degrees<Real>(down, along);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::int16_t> x, index rows,
                                      index columns, view<float> y) {
    for (index j = 0; j < columns; ++j) y[i * columns + j] = at<Real>(x, rows, columns, i, j);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread a cell";
  static void second(const device& on, view<const std::int16_t> x, index rows, index columns,
                     view<float> y) {
    for_each_thread(on.stream, x.size(), [=] __device__(index k) {
      y[k] = at<float>(x, rows, columns, k / columns, k % columns);
    });
  }
#endif
};

}  // namespace suite
