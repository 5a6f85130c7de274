// alpha_blend: y[i] = over[i] laid over under[i] by the alpha of over[i], each channel
// (a over + (255 - a) under + 127) / 255.
//
// two structs of 4 bytes -> struct. In Fettle: map over both.
#pragma once

#include "../common/place.hpp"

namespace suite {

struct alpha_blend {
  struct alignas(4) pixel {
    std::uint8_t channel[3];
    std::uint8_t alpha;
  };

  static constexpr const char* name = "alpha_blend";
  static constexpr const char* types = "4 bytes";
  static constexpr family shapes = family::sizes;
  using output = pixel;
  using component = unsigned char;

  static auto make(const shape& like) {
    const index n = like.elements(12);
    const auto draw = [=](std::uint64_t seed) {
      return filled(n, [=](std::uint64_t i) {
        const std::uint64_t bits = fb::hash(i, seed);
        const auto byte = [=](int k) { return static_cast<std::uint8_t>(bits >> 8 * k); };
        return pixel{{byte(0), byte(1), byte(2)}, byte(3)};
      });
    };
    return problem(n, n, draw(3), draw(4));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const pixel> over, view<const pixel> under,
                                      view<pixel> y) {
    const pixel a = over[i];
    const pixel b = under[i];
    pixel mixed{{0, 0, 0}, 255};
    for (int c = 0; c < 3; ++c) {
      const int sum = a.alpha * a.channel[c] + (255 - a.alpha) * b.channel[c] + 127;
      mixed.channel[c] = static_cast<std::uint8_t>(sum / 255);
    }
    y[i] = mixed;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 pixels";
  static void second(const device& on, view<const pixel> over, view<const pixel> under,
                     view<pixel> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < y.size(); i += threads) step<double>(i, over, under, y);
    });
  }
#endif
};

}  // namespace suite
