// word_hashes: y[r] = sum of s[k] * 31^(end - 1 - k) for k in row r, modulo 2^64.
//
// byte -> 64 bits; combined as (hash, power) of 16 bytes, not commutative. In Fettle: map > reduce
// over a nest, of map(c -> (c, 31)), op (h1, p1) (h2, p2) = (h1 p2 + h2, p1 p2); then the first
// part.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct word_hashes {
  static constexpr const char* name = "word_hashes";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::rows;
  using output = std::uint64_t;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(2);
    return problem(rows_of(offsets), rows_of(offsets),
                   integers<std::uint8_t>(offsets.back(), 1, 256), offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const std::uint8_t> s,
                                      view<const index> offsets, view<std::uint64_t> y) {
    std::uint64_t value = 0;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) value = value * 31 + s[k];
    y[r] = value;
  }

#ifdef __CUDACC__
  FETTLE_HOST_DEVICE static std::uint64_t power_of_31(index exponent) {
    std::uint64_t result = 1;
    std::uint64_t square = 31;
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result *= square;
      square *= square;
    }
    return result;
  }

  // Each lane hashes every 32nd byte.
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> s, view<const index> offsets,
                     view<std::uint64_t> y) {
    const std::uint64_t stride = power_of_31(32);
    for_each_warp(on.stream, y.size(), [=] __device__(index r, int lane) {
      const index last = offsets[r + 1];
      std::uint64_t value = 0;
      index k = offsets[r] + lane;
      for (; k < last; k += 32) value = value * stride + s[k];
      value *= power_of_31(max(last - 1 - (k - 32), 0));
      value = warp_fold(value, plus{});
      if (lane == 0) y[r] = value;
    });
  }
#endif
};

}  // namespace suite
