// dequantised_weights: y[i] = scale[i / 64] * q[i].
//
// signed byte, float -> float. In Fettle: map > map over split(q, 64) and scale.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct dequantised_weights {
  static constexpr const char* name = "dequantised_weights";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-6;
  static constexpr index group = 64;

  static auto make(const shape& like) {
    const index groups = like.elements(5 * group + 4);
    const auto q = filled(groups * group, [](std::uint64_t i) {
      return static_cast<std::int8_t>(static_cast<int>(fb::hash(i, 17) % 255) - 127);
    });
    return problem(groups, groups * group, q, reals<float>(groups, 18));
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index g, view<const std::int8_t> q, view<const float> scale,
                                      view<float> y) {
    const Real factor = Real(scale[g]);
    for (index i = g * group; i < (g + 1) * group; ++i) y[i] = float(factor * Real(q[i]));
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 weights";
  static void second(const device& on, view<const std::int8_t> q, view<const float> scale,
                     view<float> y) {
    for_each_thread(on.stream, y.size() / 4, [=] __device__(index four) {
      const float factor = scale[four / (group / 4)];
      const char4 c = reinterpret_cast<const char4*>(q.data())[four];
      reinterpret_cast<float4*>(y.data())[four] = {factor * c.x, factor * c.y, factor * c.z,
                                                   factor * c.w};
    });
  }
#endif
};

}  // namespace suite
