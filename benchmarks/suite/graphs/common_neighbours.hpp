// common_neighbours: y[e] = how many vertices are neighbours of both ends of edge e, by a binary
// search in the sorted neighbours of one end for each neighbour of the other.
//
// int -> int; some 8 searches of 3 steps an edge. In Fettle: map > reduce(plus) over (from, to), of
// map(search, subsequence(neighbours, ...)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct common_neighbours {
  static constexpr const char* name = "common_neighbours";
  static constexpr const char* types = "int";
  static constexpr family shapes = family::sizes;
  using output = index;

  /// Neighbours are within 64 vertices, so that ends have some in common.
  static auto make(const shape& like) {
    const index vertices = like.elements(4 + 8 * (4 + 4 + 4));
    const auto degrees = filled(
        vertices, [](std::uint64_t v) { return static_cast<index>(4 + fb::hash(v, 11) % 9); });
    const auto offsets = fb::offsets_of(degrees);
    auto neighbour = row_indices(offsets);
    const auto from = neighbour;
    for (std::size_t k = 0; k < neighbour.size(); ++k) {
      const index base = std::min(from[k], std::max(vertices - 64, 0));
      const auto part = static_cast<std::uint64_t>(
          k - static_cast<std::size_t>(offsets[static_cast<std::size_t>(from[k])]));
      neighbour[k] = (base + static_cast<index>(5 * part + fb::hash(k, 12) % 5)) % vertices;
    }
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
      std::sort(neighbour.begin() + offsets[v], neighbour.begin() + offsets[v + 1]);
    }
    return problem(size_of(from), size_of(from), from, neighbour, offsets);
  }

  /// How many of the sorted elements [first, last) are `wanted`: 0 or 1. Without branches.
  FETTLE_HOST_DEVICE static index contains(view<const index> all, index first, index last,
                                           index wanted) {
    index count = last - first;
    while (count > 1) {
      const index half = count / 2;
      first = all[first + half] <= wanted ? first + half : first;
      count -= half;
    }
    return count == 1 && all[first] == wanted ? 1 : 0;
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index e, view<const index> from, view<const index> neighbour,
                                      view<const index> offsets, view<index> y) {
    const index u = from[e];
    const index v = neighbour[e];
    index count = 0;
    for (index k = offsets[u]; k < offsets[u + 1]; ++k) {
      count += contains(neighbour, offsets[v], offsets[v + 1], neighbour[k]);
    }
    y[e] = count;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "8 lanes an edge";
  static void second(const device& on, view<const index> from, view<const index> neighbour,
                     view<const index> offsets, view<index> y) {
    for_each_warp(on.stream, (from.size() + 3) / 4, [=] __device__(index warp, int lane) {
      const index e = 4 * warp + lane / 8;
      index count = 0;
      if (e < from.size()) {
        const index u = from[e];
        const index v = neighbour[e];
        for (index k = offsets[u] + lane % 8; k < offsets[u + 1]; k += 8) {
          count += contains(neighbour, offsets[v], offsets[v + 1], neighbour[k]);
        }
      }
      for (const int distance : {1, 2, 4}) count += __shfl_xor_sync(~0u, count, distance);
      if (e < from.size() && lane % 8 == 0) y[e] = count;
    });
  }
#endif
};

}  // namespace suite
