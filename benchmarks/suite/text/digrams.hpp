// digrams: y[i] = 256 s[i] + s[i + 1], for all but the last byte of a text.
//
// byte -> 16 bits. In Fettle: map over two subsequences of the text.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct digrams {
  static constexpr const char* name = "digrams";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::sizes;
  using output = std::uint16_t;

  static auto make(const shape& like) {
    const index n = like.elements(3);
    return problem(n, n, integers<std::uint8_t>(n + 1, 8, 128));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint8_t> s, view<std::uint16_t> y) {
    y[i] = static_cast<std::uint16_t>(256 * s[i] + s[i + 1]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 digrams";
  static void second(const device& on, view<const std::uint8_t> s, view<std::uint16_t> y) {
    const index words = (y.size() + 3) / 4;
    for_each_thread(on.stream, words, [=] __device__(index word) {
      const index first = 4 * word;
      if (first + 4 <= y.size()) {
        const uchar4 c = reinterpret_cast<const uchar4*>(s.data())[word];
        const auto join = [](unsigned char a, unsigned char b) {
          return static_cast<unsigned short>(256 * a + b);
        };
        reinterpret_cast<ushort4*>(y.data())[word] = {join(c.x, c.y), join(c.y, c.z),
                                                      join(c.z, c.w), join(c.w, s[first + 4])};
      } else {
        for (index i = first; i < y.size(); ++i) y[i] = 256 * s[i] + s[i + 1];
      }
    });
  }
#endif
};

}  // namespace suite
