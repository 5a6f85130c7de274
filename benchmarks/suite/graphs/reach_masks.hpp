// reach_masks: y[v] = the union of the sets of v's neighbours, sets of 256 bits: a step of a search
// from 256 vertices at once.
//
// struct of 4 x 64 bits (32 bytes), int -> struct. In Fettle: map > reduce(unite) over a nest, of
// gather(masks, neighbours).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct reach_masks {
  struct set {
    std::uint64_t words[4];
  };
  struct unite {
    FETTLE_HOST_DEVICE set operator()(const set& a, const set& b) const {
      return {{a.words[0] | b.words[0], a.words[1] | b.words[1], a.words[2] | b.words[2],
               a.words[3] | b.words[3]}};
    }
  };

  static constexpr const char* name = "reach_masks";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::rows;
  using output = set;
  using component = unsigned char;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const index vertices = rows_of(offsets);
    const auto masks = filled(vertices, [](std::uint64_t v) {
      set s{};
      s.words[v % 4] = std::uint64_t{1} << fb::hash(v, 4) % 64;
      return s;
    });
    return problem(vertices, vertices, integers<index>(offsets.back(), 5, vertices), offsets,
                   masks);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index v, view<const index> neighbour,
                                      view<const index> offsets, view<const set> masks,
                                      view<set> y) {
    set all{};
    for (index k = offsets[v]; k < offsets[v + 1]; ++k) all = unite{}(all, masks[neighbour[k]]);
    y[v] = all;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const index> neighbour, view<const index> offsets,
                     view<const set> masks, view<set> y) {
    a_warp_a_row(
        on.stream, offsets, set{}, [=] __device__(index, index k) { return masks[neighbour[k]]; },
        unite{}, [=] __device__(index v, const set& all) { y[v] = all; });
  }
#endif
};

}  // namespace suite
