// fold_computed: reductions of numbers that a user's function computes, in any order: a block of
// them at a time by a separate loop (computed_block.hpp), combined by vectors.
#pragma once

#include <cstddef>
#include <cstring>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/host/lanes/computed_block.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// What the elements of whole blocks make, combined with `value`; `first` moves behind them. A block
// at least.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_computed(const Op& op, const S& s, index_t& first,
                                                         index_t last, T value, bool prefetch) {
  using vector = lanes_t<T>;
  constexpr index_t width = lanes_v<T>;
  constexpr index_t block = computed_elements;
  static_assert(block % (2 * width) == 0);
  vector a = vector{} + identity_v<Op, T>;
  vector b = a;
  alignas(64) T computed[std::size_t{block}];
  do {
    prefetch_ahead<block>(s, first, prefetch);
    compute_block<block>(s, first, computed);
    for (index_t k = 0; k < block; k += 2 * width) {
      vector some;
      std::memcpy(&some, computed + k, sizeof some);
      combine_lanes<Op>(a, some);
      std::memcpy(&some, computed + k + width, sizeof some);
      combine_lanes<Op>(b, some);
    }
    first += block;
  } while (first + block <= last);
  combine_lanes<Op>(a, b);
  return static_cast<T>(op(value, combine_all<Op, T, width>(a)));
}

/// Functions of indices alone, such as those that read a row that they hold and compare an element
/// with the next one.
template <typename S>
inline constexpr bool is_of_indices_v = false;
template <typename F, typename... T>
inline constexpr bool
    is_of_indices_v<transformed_sequence<F, counting_sequence<T, unit_stride>...>> =
        is_computed_v<transformed_sequence<F, counting_sequence<T, unit_stride>...>>;

// Whole numbers that such a function makes, by a loop that compilers vectorise as a whole. They
// know that each index but the last has a next one, which a function may ask for: in a loop up to
// the end its answer would be a choice in each element.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_indexed(const Op& op, const S& s, index_t first,
                                                        index_t last, T value) {
  for (; first + 1 < last; ++first) value = static_cast<T>(op(value, static_cast<T>(s[first])));
  if (first < last) value = static_cast<T>(op(value, static_cast<T>(s[first])));
  return value;
}

}  // namespace fettle::ndp::host::detail
