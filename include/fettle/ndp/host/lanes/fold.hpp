// fold: every reduction on one thread, by the loop (fold_loops.hpp) that suits the operator, the
// source and the length of the run.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/computed_block.hpp>
#include <fettle/ndp/host/lanes/fold_computed.hpp>
#include <fettle/ndp/host/lanes/fold_loops.hpp>
#include <fettle/ndp/host/lanes/fold_parts.hpp>
#include <fettle/ndp/host/lanes/fold_tree.hpp>
#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/host/lanes/selection.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether parts of the source can be reduced on their own and the partial results combined: then
/// the operator takes two values of type T, and an element can be the first of a part.
template <typename Op, typename S, typename T>
concept splittable = std::is_invocable_r_v<T, const Op&, T, T> &&
                     (std::is_constructible_v<T, element_t<S>> || has_identity_v<Op, T>);

/// A shorter run costs less in order than the start and end of vectors.
inline constexpr index_t shortest_by_lanes = 24;

/// The same for parts of a run whose values are not numbers: fold_parts().
inline constexpr index_t shortest_in_parts = 32;

/// Compilers unroll loops of so few iterations.
inline constexpr index_t longest_written_out = 16;

/// value op s[first] op ... op s[last - 1], in any order where the operator allows it; short runs
/// and other operators in order. `prefetch`: what it reads is likely not in the caches.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::always_inline]] inline T fold(const Op& op, const S& s, index_t first,
                                                index_t last, T value,
                                                [[maybe_unused]] bool prefetch = false) {
  if constexpr (row_wise<S>) {
    const bool done = for_rows(s, first, last,
                               [&](const auto& row, index_t begin, index_t end, index_t /*index*/) {
                                 value = fold(op, row, begin, end, value);
                               });
    if (done) return value;
  }
  // Written out, a run of a few elements that the compiler can count leaves no loop in the one
  // around it, which may be vectorised.
  if (__builtin_constant_p(last - first) && last - first <= longest_written_out) {
    // A run of this length is worth vectors.
    if constexpr (lane_operation<Op, T> && std::is_constructible_v<T, element_t<S>> &&
                  is_cheap_v<S>) {
      if (last - first == longest_written_out) {
        return fold_by_fours(op, s, first, last, value, false);
      }
    }
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)  // nvcc does not know it
#pragma GCC unroll 16
#endif
    for (index_t k = 0; k < last - first; ++k) accumulate(op, value, s[first + k]);
    return value;
  }
  if constexpr (lane_operation<Op, T> && std::is_constructible_v<T, element_t<S>>) {
    if constexpr (gathered_lanes<Op, S, T>) {
      constexpr index_t shortest_gathered = 8;
      if (last - first >= shortest_gathered && gathers_fast()) {
        return fold_gathered(op, s, first, last, value);
      }
    }
    if constexpr (widens_v<S, T>) {
      if (last - first >= 2 * widened_block) value = fold_widened(op, s, first, last, value);
    }
    if constexpr (is_of_indices_v<S> && std::is_integral_v<T>) {
      constexpr index_t shortest_indexed = 16;
      if (last - first >= shortest_indexed) return fold_indexed(op, s, first, last, value);
      return fold_few(op, s, first, last, value);
    }
    if constexpr (is_computed_v<S> && computed_elements % lanes_v<T> == 0) {
      if (last - first >= few_computed_elements) {
        const bool ahead = prefetch || last - first > cached_elements / 4;
        value = fold_computed(op, s, first, last, value, ahead);
      }
      return fold_few(op, s, first, last, value);
    }
    // A shorter run costs less in order than the vectors' start and end.
    constexpr index_t shortest = 2 * fold_vectors<T> * lanes_v<T>;
    if (last - first >= shortest) {
      // A run as long as this is its own reason to prefetch, on one thread of a few.
      const bool ahead = prefetch || last - first > cached_elements / 4;
      value = fold_blocks(op, s, first, last, value, ahead);
      if constexpr (shortest / 2 > shortest_by_lanes) {
        if (last - first >= shortest_by_lanes) {
          value = fold_by_fours(op, s, first, last, value, prefetch);
        }
      }
      return fold_few(op, s, first, last, value);
    }
    if constexpr (shortest > shortest_by_lanes) {
      if (last - first >= shortest_by_lanes) {
        value = fold_by_fours(op, s, first, last, value, prefetch);
      }
    }
    return fold_few(op, s, first, last, value);
  } else if constexpr (splittable<Op, S, T> && std::is_constructible_v<T, element_t<S>>) {
    if constexpr (folds_by_trees<S, T>) {
      if (last - first >= small_tree_elements) return fold_structs(op, s, first, last, value);
    }
    if constexpr (!std::is_arithmetic_v<T>) {
      // Four larger values do not fit into registers.
      constexpr std::size_t largest_in_parts = 48;
      constexpr index_t shortest =
          sizeof(T) <= largest_in_parts ? shortest_in_parts : std::numeric_limits<index_t>::max();
      if (last - first >= shortest) {
        const bool ahead = prefetch || last - first > cached_elements / 4;
        if constexpr (can_be_chosen<T>) {
          if (only_chooses<T>(op, s, first, last)) {
            return fold_selection(op, s, first, last, value, ahead);
          }
        }
        return fold_parts(op, s, first, last, value, ahead);
      }
    } else if constexpr (is_commutative_v<Op>) {
      if (last - first >= 16) value = fold_chains(op, s, first, last, value);
    }
  }
  return fold_in_order(op, s, first, last, value);
}

/// s[first] op ... op s[last - 1], without a seed; first < last.
template <typename T, typename Op, typename S>
  requires splittable<Op, S, T>
[[nodiscard, gnu::always_inline]] inline T fold_part(const Op& op, const S& s, index_t first,
                                                     index_t last) {
  if constexpr (has_identity_v<Op, T>) {
    return fold(op, s, first, last, static_cast<T>(identity_v<Op, T>));
  } else {
    return fold(op, s, first + 1, last, static_cast<T>(s[first]));
  }
}

}  // namespace fettle::ndp::host::detail
