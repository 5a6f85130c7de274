// fold_loops: the inner loops that fold() chooses among, each fastest for some operators and
// sources.
//
// In order, one call of the operator after the other; or by lanes, for operators that may be
// applied in any order: several vectors of partial results, so that neither the width of the
// processor's vectors nor the latency of an addition limits the loop.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/halo_rows.hpp>
#include <fettle/ndp/host/lanes/join_rows.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/host/lanes/sampled_tiles.hpp>
#include <fettle/ndp/host/team/unroll.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// value = op(value, x). A struct of numbers number by number: one that is copied as a whole is in
// memory, where its numbers have just been written one by one, which a processor has to wait for.
template <typename Op, typename T, typename X>
[[gnu::always_inline]] inline void accumulate(const Op& op, T& value, const X& x) {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> &&
                ndp::detail::of_numbers<T>) {
    const T next = op(value, x);
    ndp::detail::copy_fields(value, next);
  } else {
    value = op(value, x);
  }
}

/// Runs of up to so many elements are written out by fold_in_order() where compilers can count
/// them.
inline constexpr index_t longest_written_out_in_order = 32;

/// value op s[first] op ... op s[last - 1], from left to right, `unroll` at a time; 0: the compiler
/// decides.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_in_order(const Op& op, const S& s, index_t first,
                                                         index_t last, T value, int unroll = 0) {
  if constexpr (row_wise<S>) {
    const bool done = for_rows(s, first, last,
                               [&](const auto& row, index_t begin, index_t end, index_t /*index*/) {
                                 value = fold_in_order(op, row, begin, end, value, unroll);
                               });
    if (done) return value;
  }
  if (unroll != 0) {
    for_each_unrolled(first, last, unroll, [&](index_t i) { accumulate(op, value, s[i]); });
    return value;
  }
  // Then no loop is left in the one around it, which may be vectorised.
  if (__builtin_constant_p(last - first) && last - first <= longest_written_out_in_order) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)  // nvcc does not know it
#pragma GCC unroll 32
#endif
    for (index_t k = 0; k < last - first; ++k) accumulate(op, value, s[first + k]);
    return value;
  }
  for (; first < last; ++first) accumulate(op, value, s[first]);
  return value;
}

template <typename T>
inline constexpr index_t fold_vectors = 4;

/// Elements of a block of fold_widened().
inline constexpr index_t widened_block = 64;

/// Numbers that a function makes of narrower ones, as a count does of bytes.
template <typename S, typename T>
inline constexpr bool widens_v = false;
template <typename F, typename... S, typename T>
  requires(std::is_arithmetic_v<typename S::value_type> && ...)
inline constexpr bool widens_v<transformed_sequence<F, S...>, T> =
    !is_small_function_v<F> && std::is_integral_v<T> &&
    ((sizeof(typename S::value_type) < sizeof(T)) && ...);

// The same as fold_blocks() for such numbers, in any order: as many partial results as a block has
// elements, by a loop that compilers vectorise at -O2, too. Of a vector that is put together from
// results of a function they do not see that it could be.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_widened(const Op& op, const S& s, index_t& first,
                                                        index_t last, T value) {
  constexpr index_t block = widened_block;
  alignas(64) T partial[std::size_t{block}];
  for (T& one : partial) one = identity_v<Op, T>;
  for (; first + block <= last; first += block) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
    for (index_t k = 0; k < block; ++k) {
      partial[k] = static_cast<T>(op(partial[k], static_cast<T>(s[first + k])));
    }
  }
  for (index_t half = block / 2; half > 0; half /= 2) {
    for (index_t k = 0; k < half; ++k) {
      partial[k] = static_cast<T>(op(partial[k], partial[k + half]));
    }
  }
  return static_cast<T>(op(value, partial[0]));
}

// What the elements of whole blocks make, combined with `value`; `first` moves behind them.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_blocks(const Op& op, const S& s, index_t& first,
                                                       index_t last, T value, bool prefetch) {
  using vector = lanes_t<T>;
  constexpr index_t width = lanes_v<T>;
  constexpr index_t block = fold_vectors<T> * width;
  vector a = vector{} + identity_v<Op, T>;
  vector b = a;
  vector c = a;
  vector d = a;
  const auto add = [&](const auto& some, index_t at) {
    combine_lanes<Op>(a, load_lanes<T>(some, at));
    combine_lanes<Op>(b, load_lanes<T>(some, at + width));
    combine_lanes<Op>(c, load_lanes<T>(some, at + 2 * width));
    combine_lanes<Op>(d, load_lanes<T>(some, at + 3 * width));
  };
  do {
    prefetch_ahead<block>(s, first, prefetch);
    if constexpr (in_blocks<S>) {
      add(block_of<S>::from(s, first, block), 0);
    } else {
      add(s, first);
    }
    first += block;
  } while (first + block <= last);
  combine_lanes<Op>(a, b);
  combine_lanes<Op>(c, d);
  combine_lanes<Op>(a, c);
  return static_cast<T>(op(value, combine_all<Op, T, width>(a)));
}

// Four chains of calls, for operators that are commutative but unknown to the vector unit. (Where
// they are sums of 8 or 16 bits, GCC 12 vectorises these chains at -O3, and wrongly.)
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_chains(const Op& op, const S& s, index_t& first,
                                                       index_t last, T value) {
  // Where there is an identity, from it on: minimum(NaN, x) is NaN, minimum(x, NaN) is x.
  const auto start = [&](const auto& element) {
    if constexpr (has_identity_v<Op, T>) {
      return static_cast<T>(op(static_cast<T>(identity_v<Op, T>), element));
    } else {
      return static_cast<T>(element);
    }
  };
  T a = start(s[first]);
  T b = start(s[first + 1]);
  T c = start(s[first + 2]);
  T d = start(s[first + 3]);
  for (first += 4; first + 4 <= last; first += 4) {
    keep_scalar();
    a = op(a, s[first]);
    b = op(b, s[first + 1]);
    c = op(c, s[first + 2]);
    d = op(d, s[first + 3]);
  }
  return op(value, op(op(a, b), op(c, d)));
}

// A vector of four where the processor has one for T, else four chains: for runs too short for
// fold_blocks(). At least eight elements.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_by_fours(const Op& op, const S& s, index_t& first,
                                                         index_t last, T value, bool prefetch) {
  if constexpr (4 * sizeof(T) <= lane_bytes) {
    using vector = fours_t<T>;
    vector a = vector{} + identity_v<Op, T>;
    vector b = a;
    for (; first + 16 <= last; first += 16) {
      prefetch_ahead<16>(s, first, prefetch);
      combine_lanes<Op>(a, load_fours<T>(s, first));
      combine_lanes<Op>(b, load_fours<T>(s, first + 4));
      combine_lanes<Op>(a, load_fours<T>(s, first + 8));
      combine_lanes<Op>(b, load_fours<T>(s, first + 12));
    }
    if (first + 8 <= last) {
      combine_lanes<Op>(a, load_fours<T>(s, first));
      combine_lanes<Op>(b, load_fours<T>(s, first + 4));
      first += 8;
    }
    combine_lanes<Op>(a, b);
    return static_cast<T>(op(value, combine_all<Op, T, 4>(a)));
  } else {
    return fold_chains(op, s, first, last, value);
  }
}

// fold_in_order() for a handful of elements: the compiler is kept from vectorising the loop, which
// costs more than it gains.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_few(const Op& op, const S& s, index_t first,
                                                    index_t last, T value) {
  for (; first < last; ++first) {
    keep_scalar();
    value = op(value, s[first]);
  }
  return value;
}

}  // namespace fettle::ndp::host::detail
