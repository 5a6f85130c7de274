// upper_case: y[i] = s[i] - 32 where s[i] is one of a .. z, else s[i].
//
// byte -> byte. In Fettle: map.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#endif

namespace suite {

struct upper_case {
  struct upper {
    FETTLE_HOST_DEVICE std::uint8_t operator()(std::uint8_t c) const {
      return static_cast<std::uint8_t>(c >= 'a' && c <= 'z' ? c - 32 : c);
    }
  };

  static constexpr const char* name = "upper_case";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::sizes;
  using output = std::uint8_t;

  static auto make(const shape& like) {
    const index n = like.elements(2);
    return problem(n, n, integers<std::uint8_t>(n, 3, 128));
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint8_t> s, view<std::uint8_t> y) {
    y[i] = upper{}(s[i]);
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 16 bytes";
  static void second(const device& on, view<const std::uint8_t> s, view<std::uint8_t> y) {
    const index words = (s.size() + 15) / 16;
    for_each_thread(on.stream, words, [=] __device__(index word) {
      const index first = 16 * word;
      if (first + 16 <= s.size()) {
        uint4 bytes = reinterpret_cast<const uint4*>(s.data())[word];
        auto* each = reinterpret_cast<std::uint8_t*>(&bytes);
        for (int i = 0; i < 16; ++i) each[i] = upper{}(each[i]);
        reinterpret_cast<uint4*>(y.data())[word] = bytes;
      } else {
        for (index i = first; i < s.size(); ++i) y[i] = upper{}(s[i]);
      }
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const std::uint8_t> s, view<std::uint8_t> y) {
    thrust::transform(thrust::cuda::par_nosync.on(on.stream), s.begin(), s.end(), y.begin(),
                      upper{});
  }
#endif
};

}  // namespace suite
