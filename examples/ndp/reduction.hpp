// The sum of a sequence by tiles: the paper's listing 3.
//
// Tiles are reduced in parallel, map > reduce, and so are the partial results: one tile of them.
// (reduce alone does the same in one line; here the two steps are seen.)
#pragma once

#include <fettle/ndp.hpp>

namespace examples {

namespace ndp = fettle::ndp;

template <typename Value>
struct row_reduce {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(Row row) const {
    return ndp::reduce(ndp::plus{}, row, Value(0));
  }
};

/// How many partial results a reduction or scan of `size` elements in tiles has.
[[nodiscard]] inline ndp::index_t tile_count(ndp::index_t size, ndp::index_t tile_size) {
  return (size + tile_size - 1) / tile_size;
}

/// s_result[0] = the sum of s. s_partials has tile_count(s.size(), tile_size) elements.
template <typename Platform, typename Value>
void reduce_by_tiles(const Platform& on, ndp::sequence<const Value> s, ndp::index_t tile_size,
                     ndp::sequence<Value> s_partials, ndp::sequence<Value> s_result) {
  // Split the original flat sequence (s) into C tiles
  auto s_tiled = ndp::split(s, tile_size);

  // Compute per-tile reductions
  ndp::execute<"reduce_tiles">(ndp::map(row_reduce<Value>{}, s_tiled), s_partials, on);

  // Reduce partials into s_result[0]
  auto s_partials_tiled = ndp::split(s_partials, s_tiled.size());
  ndp::execute<"reduce_partials">(ndp::map(row_reduce<Value>{}, s_partials_tiled), s_result, on);
}

#ifndef __CUDACC__

/// The same, as the paper's listing 3 spells it.
template <typename Platform, typename value_t>
void reduce_by_tiles_by_lambdas(const Platform& on, ndp::sequence<const value_t> s,
                                ndp::index_t tile_size, ndp::sequence<value_t> s_partials,
                                ndp::sequence<value_t> s_result) {
  using namespace fettle::ndp;
  auto plus = [](value_t a, value_t b) { return a + b; };
  auto s_tiled = split(s, tile_size);
  const index_t C = s_tiled.size();

  using row_t = decltype(s_tiled[0]);
  auto row_reduce = [=](row_t row) { return reduce(plus, row, value_t(0)); };
  execute(map(row_reduce, s_tiled), s_partials, on);

  auto s_partials_tiled = split(s_partials, C);
  execute(map(row_reduce, s_partials_tiled), s_result, on);
}

#endif

}  // namespace examples
