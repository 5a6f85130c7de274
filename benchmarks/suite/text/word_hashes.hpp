// word_hashes: y[r] = sum of s[k] * 31^(end - 1 - k) for k in row r, modulo 2^64.
//
// byte -> 64 bits; combined as (hash, power) of 16 bytes, not commutative. In Fettle: map > reduce
// over a nest, of map(c -> (c, 31)), op (h1, p1) (h2, p2) = (h1 p2 + h2, p1 p2); then the first
// part.
#pragma once

#include "../common/place.hpp"

namespace suite {

struct word_hashes {
  struct hash {
    std::uint64_t value;
    std::uint64_t power;
  };
  struct append {
    FETTLE_HOST_DEVICE hash operator()(const hash& a, const hash& b) const {
      return {a.value * b.power + b.value, a.power * b.power};
    }
  };

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
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> s, view<const index> offsets,
                     view<std::uint64_t> y) {
    an_ordered_warp_a_row(
        on.stream, offsets, hash{0, 1}, [=] __device__(index, index k) { return hash{s[k], 31}; },
        append{}, [=] __device__(index r, const hash& all) { y[r] = all.value; });
  }
#endif
};

}  // namespace suite
