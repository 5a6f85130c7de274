// decoded_strings: y[i] = dictionary[code[i]], of strings of 32 characters.
//
// 16 bits, struct of 32 bytes -> struct. In Fettle: gather.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#endif

namespace suite {

struct decoded_strings {
  struct alignas(16) string {
    char characters[32];
  };

  static constexpr const char* name = "decoded_strings";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::sizes;
  using output = string;
  using component = unsigned char;

  static auto make(const shape& like) {
    const index n = like.elements(34);
    const index entries = 5000;
    const auto dictionary = filled(entries, [](std::uint64_t e) {
      string s;
      for (std::uint64_t c = 0; c < 32; ++c) {
        s.characters[c] = static_cast<char>('a' + fb::hash(32 * e + c, 7) % 26);
      }
      return s;
    });
    return problem(n, n, integers<std::uint16_t>(n, 8, entries), dictionary);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint16_t> code,
                                      view<const string> dictionary, view<string> y) {
    y[i] = dictionary[code[i]];
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "2 threads a string";
  static void second(const device& on, view<const std::uint16_t> code,
                     view<const string> dictionary, view<string> y) {
    for_each_thread(on.stream, 2 * y.size(), [=] __device__(index half) {
      const auto* from = reinterpret_cast<const uint4*>(dictionary.data());
      reinterpret_cast<uint4*>(y.data())[half] = from[2 * code[half / 2] + half % 2];
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const std::uint16_t> code,
                      view<const string> dictionary, view<string> y) {
    thrust::gather(thrust::cuda::par_nosync.on(on.stream), code.begin(), code.end(),
                   dictionary.begin(), y.begin());
  }
#endif
};

}  // namespace suite
