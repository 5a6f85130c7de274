// alpha_blend: y[i] = over[i] laid over under[i] by the alpha a of over[i]: each channel is
// (a over + (255 - a) under + 127) / 255, rounded down, and alpha is 255.
//
// two 32 bits, of 4 channels of a byte, alpha the highest -> 32 bits. In Fettle: map over both.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct alpha_blend {
  using pixel = std::uint32_t;

  static constexpr const char* name = "alpha_blend";
  static constexpr const char* types = "32 bits";
  static constexpr family shapes = family::sizes;
  using output = pixel;

  static auto make(const shape& like) {
    const index n = like.elements(12);
    const auto draw = [=](std::uint64_t seed) {
      return filled(n, [=](std::uint64_t i) { return static_cast<pixel>(fb::hash(i, seed)); });
    };
    return problem(n, n, draw(3), draw(4));
  }

  /// Two channels at once, in 16 bits each; x / 255 = (x + 1 + x / 256) / 256 for x < 65535.
  FETTLE_HOST_DEVICE static pixel mixed(pixel over, pixel under, pixel alpha) {
    constexpr pixel low = 0x00FF00FF;
    const pixel sum = (over & low) * alpha + (under & low) * (255 - alpha) + 0x007F007F;
    return ((sum + 0x00010001 + ((sum >> 8) & low)) >> 8) & low;
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const pixel> over, view<const pixel> under,
                                      view<pixel> y) {
    const pixel alpha = over[i] >> 24;
    const pixel green = mixed(over[i] >> 8, under[i] >> 8, alpha) & 0xFF;
    y[i] = 0xFF000000 | mixed(over[i], under[i], alpha) | green << 8;
  }

  static void reference(view<const pixel> over, view<const pixel> under, view<pixel> y) {
    for (index i = 0; i < y.size(); ++i) {
      const pixel alpha = over[i] >> 24;
      y[i] = 0xFF000000;
      for (int shift = 0; shift < 24; shift += 8) {
        const pixel sum =
            alpha * (over[i] >> shift & 0xFF) + (255 - alpha) * (under[i] >> shift & 0xFF) + 127;
        y[i] |= sum / 255 << shift;
      }
    }
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
