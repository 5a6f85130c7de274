// integral_rows: y[i][j] = sum of x[i][0 .. j - 1], for each row of an image: half of an integral
// image.
//
// byte -> 32 bits. In Fettle: map > scan over split(x, columns).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct integral_rows {
  static constexpr const char* name = "integral_rows";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::matrices;
  using output = std::uint32_t;

  static auto make(const shape& like) {
    const auto [rows, columns] = like.matrix(5);
    return problem(rows, rows * columns, integers<std::uint8_t>(rows * columns, 7, 256), columns);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint8_t> x, index columns,
                                      view<std::uint32_t> y) {
    std::uint32_t sum = 0;
    for (index k = i * columns; k < (i + 1) * columns; ++k) {
      y[k] = sum;
      sum += x[k];
    }
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> x, index columns,
                     view<std::uint32_t> y) {
    for_each_warp(on.stream, on.steps, [=] __device__(index i, int lane) {
      std::uint32_t before = 0;
      for (index j = 0; j < columns; j += 32) {
        const index k = i * columns + j + lane;
        const std::uint32_t own = j + lane < columns ? x[k] : 0;
        std::uint32_t sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
          const std::uint32_t other = __shfl_up_sync(~0u, sum, distance);
          if (lane >= distance) sum += other;
        }
        if (j + lane < columns) y[k] = before + sum - own;
        before += __shfl_sync(~0u, sum, 31);
      }
    });
  }
#endif
};

}  // namespace suite
