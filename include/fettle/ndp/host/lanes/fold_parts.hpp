// fold_parts: a run of values that are not numbers, by four chains of calls at the same time, so
// that an operator's latency does not limit the loop; of one that only chooses, by one chain.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/fold_loops.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/operator/map.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Bytes of memory that an element is made of.
template <typename S>
inline constexpr index_t source_bytes_v = sizeof(typename S::value_type);
template <typename F, typename... S>
inline constexpr index_t source_bytes_v<transformed_sequence<F, S...>> =
    (index_t{0} + ... + source_bytes_v<S>);

/// What is left at the end of a run is combined in order if it is less.
inline constexpr index_t fewest_in_parts = 16;

/// Elements of a block that fold_parts() takes at a time: a kilobyte. Parts that lie further apart
/// are read from memory at half its speed (centres of mass of particles, in rows of 48 to 1000: 1.7
/// to 2.8 ns a particle, and 1.2 in blocks; boxes of points in rows of 1000: 2.8, and 1.9).
template <typename S>
inline constexpr index_t elements_in_parts_v = [] {
  constexpr index_t block = 1024;
  constexpr index_t elements = block / source_bytes_v<S>;
  return elements < fewest_in_parts ? fewest_in_parts : elements;
}();

/// Runs of so many bytes are cut into four parts as they are, if their elements are narrow: each
/// part is a stream that the processor reads ahead by itself.
inline constexpr index_t bytes_of_streams = index_t{1} << 18;

// Four consecutive parts at the same time: four chains of calls that keep the operands' order, for
// values that are not numbers. Four elements at least. (GCC would read vectors of each part and
// take them apart again: sums of two floats took 1.5 times as long.)
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_four_parts(const Op& op, const S& s, index_t first,
                                                           index_t last) {
  const index_t length = (last - first) / 4;
  T a = static_cast<T>(s[first]);
  T b = static_cast<T>(s[first + length]);
  T c = static_cast<T>(s[first + 2 * length]);
  T d = static_cast<T>(s[first + 3 * length]);
  for (index_t k = 1; k < length; ++k) {
    keep_scalar();
    accumulate(op, a, s[first + k]);
    accumulate(op, b, s[first + length + k]);
    accumulate(op, c, s[first + 2 * length + k]);
    accumulate(op, d, s[first + 3 * length + k]);
  }
  for (index_t k = first + 4 * length; k < last; ++k) accumulate(op, d, s[k]);
  return op(op(a, b), op(c, d));
}

// The same of any number of elements, block by block. `prefetch`: see fold().
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_parts(const Op& op, const S& s, index_t first,
                                                      index_t last, T value, bool prefetch) {
  constexpr index_t block = elements_in_parts_v<S>;
  constexpr index_t narrow = 15;
  const bool as_streams =
      source_bytes_v<S> <= narrow && (last - first) * source_bytes_v<S> >= bytes_of_streams;
  const index_t most = as_streams ? last - first : block;
  while (last - first >= fewest_in_parts) {
    const index_t count = last - first < most ? last - first : most;
    prefetch_ahead<block>(s, first, prefetch && !as_streams);
    accumulate(op, value, fold_four_parts<Op, S, T>(op, s, first, first + count));
    first += count;
  }
  return fold_in_order(op, s, first, last, value);
}

/// The same by one chain, for an operator that only chooses (selection.hpp). A function apart, in
/// which all calls are inlined: among the many loops of fold() compilers call a larger operator.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::noinline, gnu::flatten]] T fold_selection(const Op& op, const S& s, index_t first,
                                                            index_t last, T value, bool prefetch) {
  constexpr index_t block = elements_in_parts_v<S>;
  for (; first + block <= last; first += block) {
    prefetch_ahead<block>(s, first, prefetch);
    value = fold_in_order(op, s, first, first + block, value);
  }
  return fold_in_order(op, s, first, last, value);
}

}  // namespace fettle::ndp::host::detail
