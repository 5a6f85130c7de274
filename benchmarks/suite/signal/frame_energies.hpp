// frame_energies: y[f] = sum of (c[j] x[128 f + j])^2 for j in 0 .. 255: frames that overlap by
// half, under a window.
//
// 16 bits, float -> float. In Fettle: map > reduce(plus) over range(0, frames), of map((c, x) ->
// (c x)^2, c, subsequence(x, 128 f, 256)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct frame_energies {
  static constexpr const char* name = "frame_energies";
  static constexpr const char* types = "16 bits";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-4;
  static constexpr index width = 256;
  static constexpr index hop = 128;

  static auto make(const shape& like) {
    const index frames = like.elements(2 * hop);
    const auto x = filled(frames * hop + hop, [](std::uint64_t i) {
      return static_cast<std::int16_t>(2000 * fb::unit(i, 7) - 1000);
    });
    const auto c = filled(width, [](std::uint64_t j) {
      return float(0.5 - 0.5 * std::cos(2 * 3.14159265358979 * double(j) / (width - 1)));
    });
    return problem(frames, frames, x, c);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index f, view<const std::int16_t> x, view<const float> c,
                                      view<float> y) {
    const std::int16_t* const frame = x.data() + hop * f;
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index j = 0; j < width; ++j) {
      const Real value = Real(c[j]) * Real(frame[j]);
      sum += value * value;
    }
    y[f] = float(sum);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a frame";
  static void second(const device& on, view<const std::int16_t> x, view<const float> c,
                     view<float> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index f, int lane) {
      float sum = 0;
      for (index j = lane; j < width; j += 32) {
        const float value = c[j] * float(x[hop * f + j]);
        sum += value * value;
      }
      sum = warp_fold(sum, plus{});
      if (lane == 0) y[f] = sum;
    });
  }
#endif
};

}  // namespace suite
