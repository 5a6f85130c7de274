// grey_levels: y[i] = (77 r + 150 g + 29 b) / 256 of pixel i.
//
// struct of 3 bytes -> byte. In Fettle: map.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#endif

namespace suite {

struct grey_levels {
  struct pixel {
    std::uint8_t r;
    std::uint8_t g;
    std::uint8_t b;
  };
  struct level {
    FETTLE_HOST_DEVICE std::uint8_t operator()(const pixel& p) const {
      return static_cast<std::uint8_t>((77 * p.r + 150 * p.g + 29 * p.b) / 256);
    }
  };

  static constexpr const char* name = "grey_levels";
  static constexpr const char* types = "3 bytes";
  static constexpr family shapes = family::sizes;
  using output = std::uint8_t;

  static auto make(const shape& like) {
    const index n = like.elements(4);
    const auto pixels = filled(n, [](std::uint64_t i) {
      const std::uint64_t bits = fb::hash(i, 1);
      return pixel{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                   static_cast<std::uint8_t>(bits >> 16)};
    });
    return problem(n, n, pixels);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const pixel> x, view<std::uint8_t> y) {
    y[i] = level{}(x[i]);
  }

#ifdef __CUDACC__
  // 12 bytes in, 4 bytes out.
  static constexpr const char* second_name = "a thread 4 pixels";
  static void second(const device& on, view<const pixel> x, view<std::uint8_t> y) {
    const index words = (x.size() + 3) / 4;
    for_each_thread(on.stream, words, [=] __device__(index word) {
      if (4 * word + 4 <= x.size()) {
        const auto* from = reinterpret_cast<const unsigned*>(x.data()) + 3 * std::int64_t{word};
        const unsigned loaded[3] = {from[0], from[1], from[2]};
        pixel p[4];
        std::memcpy(p, loaded, sizeof p);
        reinterpret_cast<uchar4*>(y.data())[word] = {level{}(p[0]), level{}(p[1]), level{}(p[2]),
                                                     level{}(p[3])};
      } else {
        for (index i = 4 * word; i < x.size(); ++i) y[i] = level{}(x[i]);
      }
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const pixel> x, view<std::uint8_t> y) {
    thrust::transform(thrust::cuda::par_nosync.on(on.stream), x.begin(), x.end(), y.begin(),
                      level{});
  }
#endif
};

}  // namespace suite
