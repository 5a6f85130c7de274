// operator_rules: transformations of operators, beside the schedules' rewrite rules
// (schedule/rewrite.hpp): what stands before, what replaces it, and where that is allowed.
//
//   map                      ->  map>map                        tile_map
//   reduce                   ->  map>reduce, then reduce        tile_reduce
//   scan                     ->  map>reduce, scan, map>scan     three_phase_scan
//   map>map of a split       ->  map                            join_split
//   transpose of transpose   ->  the sequence itself            transpose_twice
//   gather of gather         ->  gather by gathered indices     gather_twice
//
// A rule is a type with its text (`rule`), its precondition on an expression's type (`applies_v`),
// and apply(), which yields the expression that replaces it; rules that yield several computations
// have a function for each, in their order. Each has a proof: random expressions, rewritten and
// not, agree (tests/ndp/execute/operator_rules_test.cpp).
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::rules {

/// One rule as text.
struct operator_rule {
  std::string_view name;
  std::string_view from;
  std::string_view to;
  std::string_view where;
};

namespace detail {

/// f of each element of a tile: what tile_map makes of f.
template <typename F>
struct map_tile {
  F function;
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename... Tiles>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator()(const Tiles&... tiles) const {
    return ndp::map(function, tiles...);
  }
};

/// A tile's elements, combined without the seed.
template <typename Op, typename T>
struct reduce_tile {
  Op op;
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Tile>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator()(const Tile& tile) const {
    return ndp::reduce(op, tile, identity_v<Op, T>);
  }
};

/// A tile's scan, begun with what comes before it.
template <typename Op, bool Inclusive>
struct scan_tile {
  Op op;
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Tile, typename T>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator()(const Tile& tile,
                                                             const T& start) const {
    if constexpr (Inclusive) {
      return ndp::inclusive_scan(op, tile, start);
    } else {
      return ndp::scan(op, tile, start);
    }
  }
};

/// E is a map of values.
template <typename E>
inline constexpr bool maps_values_v = false;
template <typename F, typename... S>
inline constexpr bool maps_values_v<transformed_sequence<F, S...>> = [] {
  using element = std::remove_cvref_t<typename transformed_sequence<F, S...>::inner_type>;
  return !std::is_void_v<element> && !operation<element> && !sequence_like<element>;
}();

template <typename E>
inline constexpr bool maps_tiles_v = false;
template <typename F, typename... S>
inline constexpr bool maps_tiles_v<transformed_sequence<map_tile<F>, tiled_sequence<S>...>> = true;

template <typename E>
inline constexpr bool has_known_identity_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool has_known_identity_v<reduced<Op, S, P>> =
    has_identity_v<Op, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename P, typename Tag>
inline constexpr bool has_known_identity_v<scanned_sequence<Op, S, P, Tag>> =
    has_identity_v<Op, accumulator_t<Op, S, P>>;

template <typename E>
inline constexpr bool is_transposed_twice_v = false;
template <typename S>
inline constexpr bool is_transposed_twice_v<transposed_sequence<transposed_sequence<S>>> = true;

template <typename E>
inline constexpr bool is_gathered_twice_v = false;
template <typename S, typename Inner, typename Outer>
inline constexpr bool is_gathered_twice_v<gathered_sequence<gathered_sequence<S, Inner>, Outer>> =
    true;

}  // namespace detail

/// Elements in tiles: the outer map's iterations may go to other devices, blocks or threads than
/// the inner one's.
struct tile_map {
  static constexpr operator_rule rule{"tile_map", "map", "map>map", "a map of values"};
  template <typename E>
  static constexpr bool applies_v = detail::maps_values_v<std::remove_cvref_t<E>>;

  /// Into a flat destination it writes what `e` does.
  template <typename F, typename... S>
  [[nodiscard]] static constexpr auto apply(const transformed_sequence<F, S...>& e, index_t tile) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return ndp::map(detail::map_tile<F>{e.function}, ndp::split(get<Is>(e.sources), tile)...);
    }(std::index_sequence_for<S...>{});
  }
};

/// A reduction of tiles, and one of what the tiles yield.
struct tile_reduce {
  static constexpr operator_rule rule{"tile_reduce", "reduce", "map>reduce, reduce",
                                      "an associative operator with a known identity"};
  template <typename E>
  static constexpr bool applies_v =
      is_reduced_v<std::remove_cvref_t<E>> && detail::has_known_identity_v<std::remove_cvref_t<E>>;

  template <typename Op, typename S, typename P>
  [[nodiscard]] static constexpr auto partials(const reduced<Op, S, P>& e, index_t tile) {
    return ndp::map(detail::reduce_tile<Op, accumulator_t<Op, S, P>>{e.op},
                    ndp::split(e.source, tile));
  }
  template <typename Op, typename S, typename P, typename Partials>
  [[nodiscard]] static constexpr auto apply(const reduced<Op, S, P>& e, const Partials& partials) {
    return ndp::reduce(e.op, partials, e.seed);
  }
};

/// The sums of tiles, where each tile starts, and the tiles' scans.
struct three_phase_scan {
  static constexpr operator_rule rule{"three_phase_scan", "scan", "map>reduce, scan, map>scan",
                                      "an associative operator with a known identity"};
  template <typename E>
  static constexpr bool applies_v =
      is_scanned_v<std::remove_cvref_t<E>> && detail::has_known_identity_v<std::remove_cvref_t<E>>;

  template <typename Op, typename S, typename P, typename Tag>
  [[nodiscard]] static constexpr auto partials(const scanned_sequence<Op, S, P, Tag>& e,
                                               index_t tile) {
    return ndp::map(detail::reduce_tile<Op, accumulator_t<Op, S, P>>{e.op},
                    ndp::split(e.source, tile));
  }
  template <typename Op, typename S, typename P, typename Tag, typename Partials>
  [[nodiscard]] static constexpr auto starts(const scanned_sequence<Op, S, P, Tag>& e,
                                             const Partials& partials) {
    return ndp::scan(e.op, partials, static_cast<accumulator_t<Op, S, P>>(e.seed));
  }
  /// Into a flat destination it writes what `e` does.
  template <typename Op, typename S, typename P, typename Tag, typename Starts>
  [[nodiscard]] static constexpr auto apply(const scanned_sequence<Op, S, P, Tag>& e,
                                            const Starts& starts, index_t tile) {
    constexpr bool inclusive = scanned_sequence<Op, S, P, Tag>::is_inclusive;
    return ndp::map(detail::scan_tile<Op, inclusive>{e.op}, ndp::split(e.source, tile), starts);
  }
};

/// The inverse of tile_map.
struct join_split {
  static constexpr operator_rule rule{"join_split", "map>map", "map",
                                      "a map of the elements of tiles"};
  template <typename E>
  static constexpr bool applies_v = detail::maps_tiles_v<std::remove_cvref_t<E>>;

  template <typename F, typename... S>
  [[nodiscard]] static constexpr auto apply(
      const transformed_sequence<detail::map_tile<F>, tiled_sequence<S>...>& e) {
    return [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      return ndp::map(e.function.function, get<Is>(e.sources).source...);
    }(std::index_sequence_for<S...>{});
  }
};

struct transpose_twice {
  static constexpr operator_rule rule{"transpose_twice", "transpose of transpose", "the sequence",
                                      "rows of one length, all columns of which are taken"};
  template <typename E>
  static constexpr bool applies_v = detail::is_transposed_twice_v<std::remove_cvref_t<E>>;

  template <typename S>
  [[nodiscard]] static constexpr const S& apply(
      const transposed_sequence<transposed_sequence<S>>& e) {
    return e.source.source;
  }
};

/// One read of the indices more, and none of the elements between.
struct gather_twice {
  static constexpr operator_rule rule{"gather_twice", "gather of gather",
                                      "gather by gathered indices", "anywhere"};
  template <typename E>
  static constexpr bool applies_v = detail::is_gathered_twice_v<std::remove_cvref_t<E>>;

  template <typename S, typename Inner, typename Outer>
  [[nodiscard]] static constexpr auto apply(
      const gathered_sequence<gathered_sequence<S, Inner>, Outer>& e) {
    return ndp::gather(e.source.source, ndp::gather(e.source.indices, e.indices));
  }
};

/// All of them.
using operator_rules =
    type_list<tile_map, tile_reduce, three_phase_scan, join_split, transpose_twice, gather_twice>;

}  // namespace fettle::ndp::rules
