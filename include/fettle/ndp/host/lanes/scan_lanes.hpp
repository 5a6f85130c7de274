// scan_lanes: running sums, extremes and the like of a block of numbers in memory, by vectors.
//
// Within a vector the elements are combined with those one, two and four lanes before them; what
// comes before the vector is added to all lanes at once. So only one operation a vector waits for
// the one before it. (Of an extreme of floating-point numbers, compilers make branches, half of
// which are guessed wrong, wherever two elements are combined with each other.)
#pragma once

#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Lanes of the vectors of a scan: eight or four, 0 where the processor has no vectors of four.
template <typename T>
inline constexpr int scan_width_v = 8 * sizeof(T) <= 32 && lane_bytes >= 32 ? 8
                                    : 4 * sizeof(T) <= lane_bytes           ? 4
                                                                            : 0;

/// Scans that vectors do.
template <typename Op, typename T>
concept scans_by_lanes = lane_operation<Op, T> && sizeof(T) >= 4 && scan_width_v<T> != 0;

// NaN is the result of an extreme of NaN and a number, but not of one of a number and NaN: it never
// comes first.
template <typename Op, typename T>
inline constexpr bool ignores_nan_v =
    std::is_floating_point_v<T> && (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>);

// v[k] = v[0] op ... op v[k]; `none` has the identity in all lanes.
template <typename Op, int N, typename V>
[[gnu::always_inline]] inline void scan_within(V& v, const V& none) {
  const auto add_to = [&](V shifted) {
    combine_lanes<Op>(shifted, v);
    v = shifted;
  };
  if constexpr (N == 4) {
    add_to(__builtin_shufflevector(none, v, 0, 4, 5, 6));
    add_to(__builtin_shufflevector(none, v, 0, 1, 4, 5));
  } else {
    add_to(__builtin_shufflevector(none, v, 0, 8, 9, 10, 11, 12, 13, 14));
    add_to(__builtin_shufflevector(none, v, 0, 1, 8, 9, 10, 11, 12, 13));
    add_to(__builtin_shufflevector(none, v, 0, 1, 2, 3, 8, 9, 10, 11));
  }
}

// The last lane in all lanes; the lanes of `v` moved on by one, with the last one of `before`
// first.
template <int N, typename V>
[[gnu::always_inline]] inline void spread_last(const V& v, V& out) {
  if constexpr (N == 4) {
    out = __builtin_shufflevector(v, v, 3, 3, 3, 3);
  } else {
    out = __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
  }
}
template <int N, typename V>
[[gnu::always_inline]] inline void move_on(const V& before, const V& v, V& out) {
  if constexpr (N == 4) {
    out = __builtin_shufflevector(before, v, 3, 4, 5, 6);
  } else {
    out = __builtin_shufflevector(before, v, 7, 8, 9, 10, 11, 12, 13, 14);
  }
}

/// to[i] = value op from[0] op ... op from[i - 1] for i in [0, Count), op from[i] too where
/// Inclusive; returns the value behind them. Count is a multiple of eight. `to` may be `from`.
template <bool Inclusive, index_t Count, typename Op, typename T>
  requires scans_by_lanes<Op, T>
[[nodiscard, gnu::always_inline]] inline T scan_lanes(const T* from, T value, T* to) {
  constexpr int width = scan_width_v<T>;
  using vector = vector_t<T, width>;
  const vector none = vector{} + identity_v<Op, T>;
  vector before = vector{} + value;  // in all lanes
  vector last = before;              // the results of the vector before
  for (index_t i = 0; i < Count; i += width) {
    vector some;
    std::memcpy(&some, from + i, sizeof some);
    if constexpr (ignores_nan_v<Op, T>) {
      vector numbers = none;
      combine_lanes<Op>(numbers, some);
      some = numbers;
    }
    scan_within<Op, width>(some, none);
    vector all = before;
    combine_lanes<Op>(all, some);
    if constexpr (Inclusive) {
      std::memcpy(to + i, &all, sizeof all);
    } else {
      vector results;
      move_on<width>(last, all, results);
      std::memcpy(to + i, &results, sizeof results);
      last = all;
    }
    vector sum;
    spread_last<width>(some, sum);
    combine_lanes<Op>(before, sum);
  }
  return before[0];
}

}  // namespace fettle::ndp::host::detail
