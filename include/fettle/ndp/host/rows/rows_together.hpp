// rows_together: as many rows of a few elements as a vector has lanes, reduced together.
//
// The rows' elements are contiguous in memory. Each row is loaded whole, what lies behind
// its end is masked off, and the vectors are transposed while they are combined. So rows of any mix
// of lengths up to the lanes' number cost the same few instructions, without a branch that the
// processor could guess wrong; longer ones are taken in several such steps. With vectors that the
// processor does not have all this would take several times as long as row by row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How many rows of T's are reduced together: 8 or 4, or 0 where a vector does not hold as many.
template <typename T>
inline constexpr int rows_together = lanes_v<T> >= 8   ? 8
                                     : lanes_v<T> >= 4 ? 4
                                                       : 0;

// The integer that a comparison of lanes of T is made with.
template <typename T>
using lane_index_t = std::conditional_t<
    sizeof(T) == 8, std::int64_t,
    std::conditional_t<sizeof(T) == 4, std::int32_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;

// Each step halves how many lanes a row has left: lanes of both arguments side by side, combined
// with the lanes of the same rows that are moved to their rows. Of N lanes in groups of Step, the
// even groups stay, and those of `b` come between them. Into the first argument. (Lanes are named
// one by one, because nvcc does not take a pack of them.)
template <typename Op, int N, int Step, typename V>
[[gnu::always_inline]] inline void combine_groups(V& a, const V& b) {
  constexpr auto stays = [](int lane) { return (lane & Step) == 0 ? lane : N + lane - Step; };
  constexpr auto comes = [](int lane) { return (lane & Step) == 0 ? lane + Step : N + lane; };
  V moved;
  if constexpr (N == 4) {
    moved = __builtin_shufflevector(a, b, comes(0), comes(1), comes(2), comes(3));
    a = __builtin_shufflevector(a, b, stays(0), stays(1), stays(2), stays(3));
  } else {
    moved = __builtin_shufflevector(a, b, comes(0), comes(1), comes(2), comes(3), comes(4),
                                    comes(5), comes(6), comes(7));
    a = __builtin_shufflevector(a, b, stays(0), stays(1), stays(2), stays(3), stays(4), stays(5),
                                stays(6), stays(7));
  }
  combine_lanes<Op>(a, moved);
}

// N vectors of N lanes.
template <typename T, int N>
using square_t = std::array<vector_t<T, N>, std::size_t{N}>;

// out[k] = all lanes of rows[k], combined.
template <typename Op, int N, typename T>
[[gnu::always_inline]] inline void combine_across(square_t<T, N>& rows, T* out) {
  combine_groups<Op, N, 1>(rows[0], rows[1]);
  combine_groups<Op, N, 1>(rows[2], rows[3]);
  combine_groups<Op, N, 2>(rows[0], rows[2]);
  if constexpr (N == 8) {
    combine_groups<Op, N, 1>(rows[4], rows[5]);
    combine_groups<Op, N, 1>(rows[6], rows[7]);
    combine_groups<Op, N, 2>(rows[4], rows[6]);
    combine_groups<Op, N, 4>(rows[0], rows[4]);
  }
  std::memcpy(out, &rows[0], sizeof rows[0]);
}

// Into `out`: 0, 1, 2, ...
template <typename V, std::size_t... K>
[[gnu::always_inline]] inline void number_lanes(V& out, std::index_sequence<K...> /*lanes*/) {
  out = V{K...};
}

// The first `count` of the N elements from `from` on, and the identity behind them; all N have to
// be readable. Nothing but the identity where `count` is negative.
template <typename Op, int N, typename T>
[[gnu::always_inline]] inline void load_first(const T* from, index_t count, vector_t<T, N>& out) {
  using index = lane_index_t<T>;
  using indices = vector_t<index, N>;
  if constexpr (sizeof(T) == 1) count = count < -N ? -N : count > N ? N : count;
  indices lane;
  number_lanes(lane, std::make_index_sequence<std::size_t{N}>{});
  const vector_t<T, N> none = vector_t<T, N>{} + identity_v<Op, T>;
  std::memcpy(&out, from, sizeof out);
  out = lane < indices{} + static_cast<index>(count) ? out : none;
}

// out = out op those.
template <typename Op, int N, typename T>
[[gnu::always_inline]] inline void combine_first(const T* from, index_t count,
                                                 vector_t<T, N>& out) {
  vector_t<T, N> those;
  load_first<Op, N>(from, count, those);
  combine_lanes<Op>(out, those);
}

// How a row begins.
template <typename Op, int N, typename T>
[[gnu::always_inline]] inline void begin_row(const T* from, index_t count, vector_t<T, N>& out) {
  if constexpr (std::is_floating_point_v<T> &&
                (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>)) {
    // minimum(NaN, x) is NaN, minimum(x, NaN) is x: what is not a number never comes first.
    out = vector_t<T, N>{} + identity_v<Op, T>;
    combine_first<Op, N>(from, count, out);
  } else {
    load_first<Op, N>(from, count, out);
  }
}

// A loop that is none, so that what it indexes can be in registers: work(0) ... work(N - 1).
template <int N, typename Work>
[[gnu::always_inline]] inline void for_each_below(const Work& work) {
  [&]<std::size_t... K>(std::index_sequence<K...> /*turns*/) {
    (work(K), ...);
  }(std::make_index_sequence<std::size_t{N}>{});
}

// reduce_rows_together() for rows of any length. (Apart, so that there the vectors need not lie in
// memory.)
template <typename Op, int N, typename T>
[[gnu::noinline]] void reduce_long_rows_together(const T* from, const index_t* begins,
                                                 index_t origin, T* out) {
  square_t<T, N> rows;
  for (std::size_t k = 0; k < N; ++k) {
    const T* const row = from + (begins[k] - origin);
    const index_t length = begins[k + 1] - begins[k];
    begin_row<Op, N>(row, length, rows[k]);
    for (index_t i = N; i < length; i += N) combine_first<Op, N>(row + i, length - i, rows[k]);
  }
  combine_across<Op, N>(rows, out);
}

/// How many elements behind the last row's end have to be readable.
inline constexpr index_t readable_behind_rows = 32;

/// out[k] = identity op from[begins[k] - origin] op ... op from[begins[k + 1] - 1 - origin] for k
/// in [0, N), where N is 4 or 8.
template <typename Op, int N, typename T>
[[gnu::always_inline]] inline void reduce_rows_together(const T* from, const index_t* begins,
                                                        index_t origin, T* out) {
  square_t<T, N> rows;
  index_t longest = 0;
  for_each_below<N>([&](std::size_t k) {
    const index_t length = begins[k + 1] - begins[k];
    begin_row<Op, N>(from + (begins[k] - origin), length, rows[k]);
    longest = length < longest ? longest : length;
  });
  if (longest > readable_behind_rows) {
    reduce_long_rows_together<Op, N>(from, begins, origin, out);
    return;
  }
  for (index_t i = N; i < longest; i += N) {
    for_each_below<N>([&](std::size_t k) {
      const index_t length = begins[k + 1] - begins[k];
      combine_first<Op, N>(from + (begins[k] - origin) + i, length - i, rows[k]);
    });
  }
  combine_across<Op, N>(rows, out);
}

}  // namespace fettle::ndp::host::detail
