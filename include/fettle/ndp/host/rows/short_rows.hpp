// short_rows: reductions of rows of a few elements on one thread, where calls, loops and wrongly
// guessed branches would cost more than the elements.
//
//   | 32 to 128 contiguous rows         | how                                                 |
//   | (contiguous.hpp)                   |                                                     |
//   |-----------------------------------|-----------------------------------------------------|
//   | all of one length, at most 16     | unrolled for this very length (equal_rows.hpp)      |
//   | of other lengths, at most 4 or 8  | all elements into a buffer, by vectors; from there  |
//   | on average (42 with AVX-512)      | four or eight rows at a time (buffered_rows.hpp)    |
//   | else                              | row by row (fold.hpp)                               |
//
// Where gathers are fast, row by row means gathered_rows.hpp: for rows of more than 4 elements on
// average, unless they are of one length and have at most 9. Rows of which few have elements are
// mostly_empty_rows.hpp's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/host/rows/buffered_rows.hpp>
#include <fettle/ndp/host/rows/contiguous_rows.hpp>
#include <fettle/ndp/host/rows/equal_rows.hpp>
#include <fettle/ndp/host/rows/gathered_rows.hpp>
#include <fettle/ndp/host/rows/mostly_empty_rows.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Whether the rows seem to have so many elements that prefetching them pays.
template <nested_node E>
[[nodiscard]] bool has_far_rows(const E& e) {
  if constexpr (contiguous_rows_node<E>) {
    if constexpr (prefetchable<std::remove_cvref_t<decltype(row_t<E>::source)>>) {
      const index_t count = e.size();
      return count > 0 &&
             distance_between(e[0].source, e[count - 1].source) + e[count - 1].source.size() >
                 cached_elements;
    }
  }
  return false;
}

inline constexpr index_t rows_looked_at = 32;
static_assert(rows_at_once % rows_looked_at == 0);

// Where gathers are fast, rows of one length that are longer gain nothing from being unrolled.
inline constexpr index_t longest_beside_gathers = 9;

// Rows that vectors can reduce, whatever their lengths are.
template <typename E>
inline constexpr bool has_vector_rows_v =
    lane_operation<std::remove_cvref_t<decltype(row_t<E>::op)>, row_value_t<E>> &&
    std::is_constructible_v<row_value_t<E>,
                            element_t<std::remove_cvref_t<decltype(row_t<E>::source)>>>;

// What rows that follow each other are like.
struct row_block {
  index_t first_length;
  bool equal;       // in length
  bool contiguous;  // in memory
};

// Rows [first, first + count), count <= rows_looked_at; in full blocks also whether the row
// after the last one is contiguous with it. Without branches and, in full blocks, of constant
// length, this becomes a few vector instructions where rows are pieces of memory between offsets.
template <typename E>
[[nodiscard, gnu::always_inline]] inline row_block look_at_rows(const E& e, index_t first,
                                                                index_t count) {
  const index_t first_length = e[first].source.size();
  index_t differences = 0;
  std::uintptr_t gaps = 0;
  if (count == rows_looked_at && first + rows_looked_at < e.size()) {
    for (index_t k = 0; k < rows_looked_at; ++k) {
      const row_t<E> row = e[first + k];
      differences |= row.source.size() ^ first_length;
      gaps |= gap_between(row.source, e[first + k + 1].source);
    }
  } else {
    for (index_t k = 1; k < count; ++k) {
      keep_scalar();
      const row_t<E> row = e[first + k];
      differences |= row.source.size() ^ first_length;
      gaps |= gap_between(e[first + k - 1].source, row.source);
    }
  }
  return {first_length, differences == 0, gaps == 0};
}

// Whether all of these rows should be done one by one, between the first and the last of which are
// so many elements: looking at each block of them would take a good part of that time.
template <typename E>
[[nodiscard]] bool go_one_by_one(const E& e, index_t begin, index_t end, index_t elements) {
  const index_t rows = end - begin;
  if constexpr (gathered_rows_node<E>) {
    if (gathers_fast() && elements > rows * longest_beside_gathers) return true;
  }
  return elements > rows * longest_buffered<E>() &&
         !look_at_rows(e, begin, std::min(rows, rows_looked_at)).equal;
}

// Rows by what each block of them is like; blocks of the same kind are done together.
template <bool InOrder, contiguous_rows_node E, typename D, typename OneByOne>
void reduce_by_blocks(const E& e, const D& destination, index_t begin, index_t end, bool prefetch,
                      const OneByOne& one_by_one) {
  constexpr bool by_vectors = !InOrder && has_vector_rows_v<E>;
  constexpr bool by_buffer = by_vectors && rows_together < row_value_t < E >>> 0;
  constexpr bool is_buffered_whole = by_buffer && has_computed_rows_v<E>;
  constexpr index_t of_any_length = -1;
  own_t<E> own = e;
  index_t run = begin;             // where the blocks begin that are not done yet
  index_t length = of_any_length;  // of their rows
  const auto finish_run = [&](index_t until) {
    if (run == until) return;
    if (length != of_any_length) {
      reduce_rows_of<by_vectors, longest_unrolled>(length, own, destination, run, until - run,
                                                   prefetch);
    } else if constexpr (by_buffer) {
      reduce_contiguous_rows(own, destination, run, until - run, prefetch, one_by_one);
    }
    run = until;
  };
  for (index_t first = begin; first < end;) {
    const index_t count = std::min(end - first, rows_looked_at);
    const row_block block = look_at_rows(own, first, count);
    const bool unrolled = block.contiguous && block.equal && block.first_length <= longest_unrolled;
    const index_t its_length = unrolled ? block.first_length : of_any_length;
    if (its_length != length || (!unrolled && first - run == rows_at_once)) {
      finish_run(first);
      length = its_length;
    }
    if (!unrolled && !(by_buffer && block.contiguous && (is_buffered_whole || !block.equal))) {
      finish_run(first);
      one_by_one(first, first + count);
      run = first + count;
    }
    first += count;
  }
  finish_run(end);
}

/// The rows [begin, end) of `e`; one_by_one(begin, end) does those that are not short. In order:
/// within a row, elements are combined from left to right. `prefetch`: see has_far_rows().
template <bool InOrder, contiguous_rows_node E, typename D, typename OneByOne>
void reduce_short_rows(const E& e, const D& destination, index_t begin, index_t end, bool prefetch,
                       const OneByOne& one_by_one) {
  const auto by_blocks = [&](index_t first, index_t last) {
    reduce_by_blocks<InOrder>(e, destination, first, last, prefetch, one_by_one);
  };
  if constexpr (!InOrder && has_vector_rows_v<E>) {
    if (end - begin > 1) {
      const index_t elements = distance_between(e[begin].source, e[end - 1].source);
      if (go_one_by_one(e, begin, end, elements)) {
        one_by_one(begin, end);
        return;
      }
      if (elements <= 2 * (end - begin) && begins_mostly_empty(e, begin, end)) {
        reduce_mostly_empty_rows(e, destination, begin, end, by_blocks);
        return;
      }
    }
  }
  by_blocks(begin, end);
}

}  // namespace fettle::ndp::host::detail
