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

// all = all op s[first] op ... op s[first + Block - 1]. Vectors that are wider than a block are
// filled with the identity.
template <typename Op, typename T, index_t Block, typename S>
[[gnu::always_inline]] inline void combine_computed(const S& s, index_t first,
                                                    lanes_t<T> (&all)[2]) {
  constexpr index_t width = lanes_v<T>;
  constexpr index_t size = Block < width ? width : Block;
  alignas(64) T computed[std::size_t{size}];
  if constexpr (Block < width) {
    const lanes_t<T> none = lanes_t<T>{} + identity_v<Op, T>;
    std::memcpy(computed, &none, sizeof none);
  }
  compute_block<Block>(s, first, computed);
  for (index_t k = 0; k < size; k += width) {
    lanes_t<T> some;
    std::memcpy(&some, computed + k, sizeof some);
    combine_lanes<Op>(all[k / width % 2], some);
  }
}

// Elements of a block for what is left of the long ones.
inline constexpr index_t few_computed_elements = 16;

// What the elements of whole blocks make, combined with `value`; `first` moves behind them. Blocks
// get shorter down to eight elements: in a loop of any length a compiler would branch where the
// function chooses.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold_computed(const Op& op, const S& s, index_t& first,
                                                         index_t last, T value, bool prefetch) {
  constexpr index_t block = computed_elements;
  constexpr index_t few = few_computed_elements;
  static_assert(block % lanes_v<T> == 0);
  const lanes_t<T> none = lanes_t<T>{} + identity_v<Op, T>;
  lanes_t<T> all[2] = {none, none};
  for (; first + block <= last; first += block) {
    prefetch_ahead<block>(s, first, prefetch);
    combine_computed<Op, T, block>(s, first, all);
  }
  for (; first + few <= last; first += few) combine_computed<Op, T, few>(s, first, all);
  if (first + few / 2 <= last) {
    combine_computed<Op, T, few / 2>(s, first, all);
    first += few / 2;
  }
  combine_lanes<Op>(all[0], all[1]);
  return static_cast<T>(op(value, combine_all<Op, T, lanes_v<T>>(all[0])));
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
