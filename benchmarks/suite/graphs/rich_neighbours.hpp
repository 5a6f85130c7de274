// rich_neighbours: y[v] = how many neighbours of v have at least v's degree.
//
// int -> int. In Fettle: map > reduce(plus) over a nest and range(0, vertices), of a map that looks
// two offsets up for each neighbour.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct rich_neighbours {
  static constexpr const char* name = "rich_neighbours";
  static constexpr const char* types = "int";
  static constexpr family shapes = family::rows;
  using output = index;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(4);
    const index vertices = rows_of(offsets);
    return problem(vertices, vertices, integers<index>(offsets.back(), 6, vertices), offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index v, view<const index> neighbour,
                                      view<const index> offsets, view<index> y) {
    const index own = offsets[v + 1] - offsets[v];
    index count = 0;
    for (index k = offsets[v]; k < offsets[v + 1]; ++k) {
      const index other = neighbour[k];
      count += offsets[other + 1] - offsets[other] >= own ? 1 : 0;
    }
    y[v] = count;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const index> neighbour, view<const index> offsets,
                     view<index> y) {
    a_warp_a_row(
        on.stream, offsets, 0,
        [=] __device__(index v, index k) {
          const index other = neighbour[k];
          const index own = offsets[v + 1] - offsets[v];
          return offsets[other + 1] - offsets[other] >= own ? 1 : 0;
        },
        plus{}, [=] __device__(index v, index count) { y[v] = count; });
  }
#endif
};

}  // namespace suite
