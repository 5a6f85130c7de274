// The prefix sums of a sequence by tiles: the paper's listing 4.
//
// Tiles are reduced (map > reduce), their sums are scanned (one tile of them, map > scan), and
// every tile is scanned, seeded with what comes before it (map > scan).
#pragma once

#include <fettle/ndp.hpp>

#include "reduction.hpp"

namespace examples {

template <typename Value>
struct tile_scan {
  template <typename Tile>
  FETTLE_HOST_DEVICE auto operator()(Tile tile, Value prefix = Value(0)) const {
    return ndp::scan(ndp::plus{}, tile, prefix);
  }
};

/// s_result[i] = s[0] + ... + s[i - 1]. The partial reductions and scans have
/// tile_count(s.size(), tile_size) elements each.
template <typename Platform, typename Value>
void scan_by_tiles(const Platform& on, ndp::sequence<const Value> s, ndp::index_t tile_size,
                   ndp::sequence<Value> s_partial_reductions,
                   ndp::sequence<Value> s_partial_scans_flat, ndp::sequence<Value> s_result) {
  // Split the original flat sequence (s) into C tiles
  auto s_tiled = ndp::split(s, tile_size);

  // Compute per-tile reductions
  ndp::execute<"scan_tile_sums">(ndp::map(row_reduce<Value>{}, s_tiled), s_partial_reductions, on);

  // Prefix sum over partial reductions
  auto s_partials_tiled = ndp::split(s_partial_reductions, s_tiled.size());
  auto s_partial_scans = ndp::split(s_partial_scans_flat, s_tiled.size());
  ndp::execute<"scan_partials">(ndp::map(tile_scan<Value>{}, s_partials_tiled), s_partial_scans,
                                on);

  // Compute the full prefix sum by seeding from the reduction
  ndp::execute<"scan_tiles">(ndp::map(tile_scan<Value>{}, s_tiled, s_partial_scans[0]), s_result,
                             on);
}

#ifndef __CUDACC__

/// The same, as the paper's listing 4 spells it.
template <typename Platform, typename value_t>
void scan_by_tiles_by_lambdas(const Platform& on, ndp::sequence<const value_t> s,
                              ndp::index_t tile_size, ndp::sequence<value_t> s_partial_reductions,
                              ndp::sequence<value_t> s_partial_scans_flat,
                              ndp::sequence<value_t> s_result) {
  using namespace fettle::ndp;
  auto plus = [](value_t a, value_t b) { return a + b; };
  auto s_tiled = split(s, tile_size);
  const index_t C = s_tiled.size();
  using row_t = decltype(s_tiled[0]);

  execute(map([=](row_t tile) { return reduce(plus, tile, value_t(0)); }, s_tiled),
          s_partial_reductions, on);

  auto s_partials_tiled = split(s_partial_reductions, C);
  auto s_partial_scans = split(s_partial_scans_flat, C);
  // The paper names the first tiles' type here too, because its sequences do not tell const.
  using partials_t = decltype(s_partials_tiled[0]);
  execute(map([=](partials_t tile) { return scan(plus, tile, value_t(0)); }, s_partials_tiled),
          s_partial_scans, on);

  execute(map([=](row_t tile, value_t prefix) { return scan(plus, tile, prefix); }, s_tiled,
              s_partial_scans[0]),
          s_result, on);
}

#endif

}  // namespace examples
