// median_filter: y[i][j] = the median of the 3 x 3 pixels around x[i][j]; those of the border
// repeat.
//
// byte -> byte, some 40 operations a pixel. In Fettle: map over join(range(0, rows),
// range(0, columns)), of a function that reads the image.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct median_filter {
  static constexpr const char* name = "median_filter";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::matrices;
  using output = std::uint8_t;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(2);
    return problem(rows, rows * columns, integers<std::uint8_t>(rows * columns, 2, 256), rows,
                   columns);
  }

  FETTLE_HOST_DEVICE static void sort(int& a, int& b) {
    const int less = a < b ? a : b;
    b = a < b ? b : a;
    a = less;
  }

  FETTLE_HOST_DEVICE static int median(int (&p)[9]) {
    sort(p[1], p[2]), sort(p[4], p[5]), sort(p[7], p[8]), sort(p[0], p[1]), sort(p[3], p[4]);
    sort(p[6], p[7]), sort(p[1], p[2]), sort(p[4], p[5]), sort(p[7], p[8]), sort(p[0], p[3]);
    sort(p[5], p[8]), sort(p[4], p[7]), sort(p[3], p[6]), sort(p[1], p[4]), sort(p[2], p[5]);
    sort(p[4], p[7]), sort(p[4], p[2]), sort(p[6], p[4]), sort(p[4], p[2]);
    return p[4];
  }

  FETTLE_HOST_DEVICE static std::uint8_t at(view<const std::uint8_t> x, index rows, index columns,
                                            index i, index j) {
    const index lines[3] = {i > 0 ? i - 1 : 0, i, i + 1 < rows ? i + 1 : i};
    const index indices[3] = {j > 0 ? j - 1 : 0, j, j + 1 < columns ? j + 1 : j};
    int p[9];
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) p[3 * a + b] = x[lines[a] * columns + indices[b]];
    }
    return static_cast<std::uint8_t>(median(p));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint8_t> x, index rows,
                                      index columns, view<std::uint8_t> y) {
    for (index j = 0; j < columns; ++j) y[i * columns + j] = at(x, rows, columns, i, j);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread a pixel";
  static void second(const device& on, view<const std::uint8_t> x, index rows, index columns,
                     view<std::uint8_t> y) {
    for_each_thread(on.stream, x.size(), [=] __device__(index k) {
      y[k] = at(x, rows, columns, k / columns, k % columns);
    });
  }
#endif
};

}  // namespace suite
