// longest_blank_runs: y[r] = the greatest number of blanks that follow each other in row r.
//
// byte -> int; combined as (blanks in front, at the end, longest run, length) of 16 bytes, not
// commutative. In Fettle: map > reduce(concatenate) over a nest, of map(c -> a run of 0 or 1).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct longest_blank_runs {
  static constexpr const char* name = "longest_blank_runs";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::rows;
  using output = index;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(2);
    const auto text = filled(offsets.back(), [](std::uint64_t k) {
      return static_cast<std::uint8_t>(fb::hash(k, 2) % 3 == 0 ? 'x' : ' ');
    });
    return problem(rows_of(offsets), rows_of(offsets), text, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const std::uint8_t> s,
                                      view<const index> offsets, view<index> y) {
    index longest = 0;
    index present = 0;
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      present = s[k] == ' ' ? present + 1 : 0;
      longest = longest < present ? present : longest;
    }
    y[r] = longest;
  }

#ifdef __CUDACC__
  // 32 bytes at a time as the bits of a word, the first byte the lowest.
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> s, view<const index> offsets,
                     view<index> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index r, int lane) {
      index longest = 0;
      index present = 0;  // blanks at the end of what was seen
      for (index first = offsets[r]; first < offsets[r + 1]; first += 32) {
        const index k = first + lane;
        unsigned blanks = __ballot_sync(~0u, k < offsets[r + 1] && s[k] == ' ');
        if (blanks == ~0u) {
          present += 32;
          longest = max(longest, present);
          continue;
        }
        longest = max(longest, present + __ffs(~blanks) - 1);
        present = __clz(~blanks);
        index inner = 0;
        for (; blanks != 0; blanks &= blanks << 1) ++inner;
        longest = max(longest, inner);
      }
      if (lane == 0) y[r] = longest;
    });
  }
#endif
};

}  // namespace suite
