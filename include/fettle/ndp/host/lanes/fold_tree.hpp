// fold_tree: a long run of structs of numbers. Neighbours are combined first, eight by eight, then
// four of what they make, and so on:
//
//   for (i in 64) partial[i] = x[8 i] op ... op x[8 i + 7]
//
// The results of a level do not wait for each other, and compilers vectorise the loop over them,
// whatever the operator is: its operands keep their order. A chain of calls would wait for the
// latency of the operator at each element, a few chains that lie apart in memory still would, and a
// compiler vectorises neither, because it must not change the order of additions.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/fold_loops.hpp>
#include <fettle/ndp/host/lanes/fold_parts.hpp>
#include <fettle/ndp/host/lanes/seen_whole.hpp>
#include <fettle/ndp/host/lanes/struct_columns.hpp>
#include <fettle/ndp/host/lanes/vector_loop.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The bytes of each number that a struct of them has, 0 where they differ.
template <ndp::detail::of_numbers T>
[[nodiscard]] consteval index_t number_bytes() {
  T value{};
  bool same = true;
  std::size_t bytes = 0;
  ndp::detail::with_fields(value, [&](const auto&... numbers) {
    ((same = same && (bytes == 0 || bytes == sizeof numbers), bytes = sizeof numbers), ...);
  });
  return same ? static_cast<index_t>(bytes) : 0;
}

/// A struct or a tuple of numbers of one width, as those of a vector are. (Choices among numbers of
/// several widths are not vectorised by GCC 12: candles of trades, of 4 and 8 bytes, took 2.5 times
/// as long as in four parts.)
template <typename T>
concept fits_columns = !std::is_arithmetic_v<T> && ndp::detail::of_numbers<T> &&
                       std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                       number_bytes<T>() != 0 && number_bytes<T>() <= index_t{sizeof(double)};

/// Such that are made of elements which are not much narrower than their numbers. (Runs of blanks
/// among bytes, in structs of numbers of 4 bytes, took 2.5 times as long as in four parts.)
template <typename S, typename T>
concept folds_by_trees = fits_columns<T> && 2 * source_bytes_v<S> >= number_bytes<T>();

/// How many neighbours are combined first, and how many results of that are combined next.
inline constexpr index_t first_neighbours = 8;
inline constexpr index_t next_neighbours = 4;

/// Elements of a tree, and of a smaller one for what is left of a run. The partial results of
/// either stay in the first-level cache.
inline constexpr index_t tree_elements = 512;
inline constexpr index_t small_tree_elements = 128;

// to[i] = the Neighbours elements of `from` from i * Neighbours on, for i in [0, Count).
template <index_t Neighbours, index_t Count, typename T, typename Op, typename From>
[[gnu::always_inline]] inline void combine_neighbours(const Op& op, const From& from,
                                                      struct_columns<T, Count>& to) {
  vector_loop<Count>([&](index_t i) {
    T value = static_cast<T>(from[i * Neighbours]);
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC unroll 8
#endif
    for (index_t j = 1; j < Neighbours; ++j) accumulate(op, value, from[i * Neighbours + j]);
    to.set(i, value);
  });
}

// from[0] op ... op from[Count - 1].
template <index_t Count, typename T, typename Op>
[[nodiscard, gnu::always_inline]] inline T combine_columns_of(
    const Op& op, const struct_columns<T, Count>& from) {
  if constexpr (Count > next_neighbours) {
    struct_columns<T, Count / next_neighbours> fewer;
    combine_neighbours<next_neighbours>(op, from, fewer);
    return combine_columns_of(op, fewer);
  } else {
    T value = from[0];
    for (index_t i = 1; i < Count; ++i) accumulate(op, value, from[i]);
    return value;
  }
}

/// An expression from an index on.
template <typename S>
struct shifted {
  const S& source;
  index_t first;

  [[nodiscard, gnu::always_inline]] decltype(auto) operator[](index_t i) const {
    return source[first + i];
  }
};

// s[first] op ... op s[first + Elements - 1].
template <index_t Elements, typename T, typename Op, typename S>
[[nodiscard, gnu::always_inline]] inline T fold_one_tree(const Op& op, const S& s, index_t first) {
  struct_columns<T, Elements / first_neighbours> partial;
  if constexpr (in_blocks<S>) {
    combine_neighbours<first_neighbours>(op, block_of<S>::from(s, first, Elements), partial);
  } else {
    combine_neighbours<first_neighbours>(op, shifted<S>{s, first}, partial);
  }
  return combine_columns_of(op, partial);
}

// The elements of whole trees, combined with `value`; `first` moves behind them.
template <typename Op, typename S, fits_columns T>
[[nodiscard, gnu::always_inline]] inline T fold_trees(const Op& op, const S& s, index_t& first,
                                                      index_t last, T value) {
  for (; first + tree_elements <= last; first += tree_elements) {
    accumulate(op, value, fold_one_tree<tree_elements, T>(op, s, first));
  }
  for (; first + small_tree_elements <= last; first += small_tree_elements) {
    accumulate(op, value, fold_one_tree<small_tree_elements, T>(op, s, first));
  }
  return value;
}

// value = value op s[first] op ... op s[last - 1], by trees where compilers may vectorise them. Not
// inlined and with copies of the views: among other code, partial results do not stay in registers.
template <typename Op, typename S, fits_columns T>
[[gnu::noinline]] void fold_apart(Op op, S s, index_t first, index_t last, T& value) {
  T all = value;
  if (is_seen_whole<T>(op)) all = fold_trees<Op, S, T>(op, s, first, last, all);
  value = fold_parts<Op, S, T>(op, s, first, last, all, false);
}

/// value op s[first] op ... op s[last - 1], of small_tree_elements at least. (The function
/// gets a new struct: the caller's would be in memory for the loops around it, too.)
template <typename Op, typename S, fits_columns T>
[[nodiscard, gnu::always_inline]] inline T fold_structs(const Op& op, const S& s, index_t first,
                                                        index_t last, T value) {
  T apart;
  ndp::detail::copy_fields(apart, value);
  fold_apart<Op, S, T>(op, s, first, last, apart);
  ndp::detail::copy_fields(value, apart);
  return value;
}

}  // namespace fettle::ndp::host::detail
