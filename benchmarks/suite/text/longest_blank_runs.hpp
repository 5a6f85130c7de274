// longest_blank_runs: y[r] = the greatest number of blanks that follow each other in row r.
//
// byte -> int; combined as (blanks in front, at the end, longest run, length) of 16 bytes, not
// commutative. In Fettle: map > reduce(concatenate) over a nest, of map(c -> a run of 0 or 1).
#pragma once

#include "../common/place.hpp"

namespace suite {

struct longest_blank_runs {
  struct run {
    index front;
    index back;
    index longest;
    index length;
  };
  struct concatenate {
    FETTLE_HOST_DEVICE run operator()(const run& a, const run& b) const {
      const index inner = a.back + b.front;
      const index longer = a.longest < b.longest ? b.longest : a.longest;
      return {a.front == a.length ? a.length + b.front : a.front,
              b.back == b.length ? a.back + b.length : b.back, longer < inner ? inner : longer,
              a.length + b.length};
    }
  };

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
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> s, view<const index> offsets,
                     view<index> y) {
    an_ordered_warp_a_row(
        on.stream, offsets, run{},
        [=] __device__(index, index k) {
          const index blank = s[k] == ' ' ? 1 : 0;
          return run{blank, blank, blank, 1};
        },
        concatenate{}, [=] __device__(index r, const run& all) { y[r] = all.longest; });
  }
#endif
};

}  // namespace suite
