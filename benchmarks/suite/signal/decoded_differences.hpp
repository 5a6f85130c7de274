// decoded_differences: y[k] = sum of d[first .. k - 1] in the row of k: blocks of differences of 16
// bits back to numbers.
//
// 16 bits -> 32 bits. In Fettle: map > scan(plus) over a nest.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct decoded_differences {
  static constexpr const char* name = "decoded_differences";
  static constexpr const char* types = "16 bits";
  static constexpr family shapes = family::rows;
  using output = std::int32_t;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(6);
    const auto d = filled(offsets.back(), [](std::uint64_t k) {
      return static_cast<std::int16_t>(2000 * fb::unit(k, 10) - 1000);
    });
    return problem(rows_of(offsets), offsets.back(), d, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const std::int16_t> d,
                                      view<const index> offsets, view<std::int32_t> y) {
    std::int32_t sum = 0;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      y[k] = sum;
      sum += d[k];
    }
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::int16_t> d, view<const index> offsets,
                     view<std::int32_t> y) {
    for_each_warp(on.stream, on.steps, [=] __device__(index r, int lane) {
      std::int32_t before = 0;
      for (index first = offsets[r]; first < offsets[r + 1]; first += 32) {
        const index k = first + lane;
        const std::int32_t own = k < offsets[r + 1] ? d[k] : 0;
        std::int32_t sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
          const std::int32_t other = __shfl_up_sync(~0u, sum, distance);
          if (lane >= distance) sum += other;
        }
        if (k < offsets[r + 1]) y[k] = before + sum - own;
        before += __shfl_sync(~0u, sum, 31);
      }
    });
  }
#endif
};

}  // namespace suite
