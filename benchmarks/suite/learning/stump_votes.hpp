// stump_votes: y[i] = sum over 64 decision stumps s of (x[i][feature[s]] < threshold[s] ?
// value[s][0] : value[s][1]), of samples of 8 features.
//
// float, struct of 16 bytes (stump) -> float. In Fettle: map > reduce(plus) over split(x, 8), of
// map(vote, stumps).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct stump_votes {
  struct alignas(16) stump {
    index feature;
    float threshold;
    float value[2];  // below the threshold, and from there on
  };

  static constexpr const char* name = "stump_votes";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::sizes;
  using output = float;
  using real = float;
  static constexpr double tolerance = 1e-5;
  static constexpr index width = 8;

  static auto make(const shape& like) {
    const index n = like.elements(4 * width + 4);
    const auto stumps = filled(64, [](std::uint64_t s) {
      return stump{static_cast<index>(fb::hash(s, 12) % width),
                   float(fb::unit(s, 13)),
                   {float(-fb::unit(s, 14)), float(fb::unit(s, 15))}};
    });
    return problem(n, n, reals<float>(n * width, 16), stumps);
  }

  template <typename Real>
  FETTLE_HOST_DEVICE static void step(index i, view<const float> x, view<const stump> stumps,
                                      view<float> y) {
    const float* const own = x.data() + i * width;
    Real votes = 0;
    for (index s = 0; s < stumps.size(); ++s) {
      const stump one = stumps[s];
      votes += Real(one.value[own[one.feature] < one.threshold ? 0 : 1]);
    }
    y[i] = float(votes);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a sample, 2 stumps a lane";
  static void second(const device& on, view<const float> x, view<const stump> stumps,
                     view<float> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index i, int lane) {
      float votes = 0;
      for (index s = lane; s < stumps.size(); s += 32) {
        const stump one = stumps[s];
        votes += one.value[x[i * width + one.feature] < one.threshold ? 0 : 1];
      }
      votes = warp_fold(votes, plus{});
      if (lane == 0) y[i] = votes;
    });
  }
#endif
};

}  // namespace suite
