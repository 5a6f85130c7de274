// short_rows: reductions of rows of a few elements on one thread, where calls, loops and wrongly
// guessed branches would cost more than the elements.
//
//   | up to 128 rows that adjoin        | how                                                 |
//   | (adjoining.hpp)                   |                                                     |
//   |-----------------------------------|-----------------------------------------------------|
//   | all of one length, at most 16     | row by row, unrolled for this very length           |
//   | of other lengths, 8 or a few more | all elements into a buffer, by vectors; from there  |
//   | on average                        | eight rows at a time (eight_rows.hpp)               |
//   | else                              | row by row (fold.hpp)                               |
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/openmp/adjoining.hpp>
#include <fettle/ndp/openmp/assign.hpp>
#include <fettle/ndp/openmp/eight_rows.hpp>
#include <fettle/ndp/openmp/fold.hpp>
#include <fettle/ndp/openmp/lanes.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/openmp/prefetch.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/store.hpp>

namespace fettle::ndp::openmp {

/// A map whose elements are reductions to values, over sources that may lie side by side.
template <typename E>
concept adjoining_rows_node = nested_node<E> && scalar_reduce_node<row_t<E>> &&
    adjoinable<decltype(row_t<E>::source)> && std::is_trivially_copyable_v<E>;

/// Whether the rows' elements are so many that they are prefetched, as far as can be told.
template <nested_node E>
[[nodiscard]] bool has_far_rows(const E& e) {
  if constexpr (adjoining_rows_node<E>) {
    if constexpr (prefetchable<std::remove_cvref_t<decltype(row_t<E>::source)>>) {
      const index_t count = e.size();
      return count > 0 &&
             distance_between(e[0].source, e[count - 1].source) + e[count - 1].source.size() >
                 cached_elements;
    }
  }
  return false;
}

namespace detail {

template <typename E>
using row_value_t = typename row_t<E>::value_type;

inline constexpr index_t rows_at_once = 128;
// How many elements the buffer holds: rows of eight, on average.
inline constexpr index_t buffered_elements = 8 * rows_at_once;
// Fewer rows that fill the buffer are so long that they gain nothing from it.
inline constexpr index_t fewest_buffered_rows = 24;

// What rows that follow each other are like.
struct row_block {
  index_t first_length;
  bool equal;   // in length
  bool adjoin;  // in memory
};

// Rows [first, first + count), count <= rows_at_once; in full blocks also whether the last one
// adjoins the row behind them. Without branches and, in full blocks, of constant length, this
// becomes a few vector instructions where rows are pieces of memory between offsets.
template <typename E>
[[nodiscard, gnu::always_inline]] inline row_block look_at_rows(const E& e, index_t first,
                                                                index_t count) {
  const index_t first_length = e[first].source.size();
  index_t differences = 0;
  std::uintptr_t gaps = 0;
  if (count == rows_at_once && first + rows_at_once < e.size()) {
    for (index_t k = 0; k < rows_at_once; ++k) {
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

// A row that has as many elements as there are I's, `all` from `begin` on.
template <index_t... I, typename E, typename D, typename S>
[[gnu::always_inline]] inline void reduce_row_of(
    const E& e, const D& destination, index_t i, const S& all, index_t begin,
    std::integer_sequence<index_t, I...> /*elements*/) {
  keep_scalar();
  const row_t<E> row = e[i];
  auto value = static_cast<row_value_t<E>>(row.seed);
  ((value = row.op(value, all[begin + I])), ...);
  store<element_t<D>>(destination[i], value);
}

// Rows of `Length` elements each.
template <index_t Length, typename E, typename D>
[[gnu::noinline]] void reduce_equal_rows(const E& e, const D& destination, index_t first,
                                         index_t count, [[maybe_unused]] bool prefetch) {
  constexpr auto elements = std::make_integer_sequence<index_t, Length>{};
  own_t<E> own = e;
  own_t<D> to = destination;
  const auto all = widened(own[first].source, Length * count);
  index_t k = 0;
  for (; k + 4 <= count; k += 4) {
    prefetch_ahead<4 * Length>(all, k * Length, prefetch);
    reduce_row_of(own, to, first + k, all, k * Length, elements);
    reduce_row_of(own, to, first + k + 1, all, (k + 1) * Length, elements);
    reduce_row_of(own, to, first + k + 2, all, (k + 2) * Length, elements);
    reduce_row_of(own, to, first + k + 3, all, (k + 3) * Length, elements);
  }
  for (; k < count; ++k) reduce_row_of(own, to, first + k, all, k * Length, elements);
}

inline constexpr index_t longest_unrolled = 16;

// Rows of `length` elements each, at most longest_unrolled.
template <index_t Length = 0, typename E, typename D>
void reduce_rows_of(index_t length, const E& e, const D& destination, index_t first, index_t count,
                    bool prefetch) {
  if constexpr (Length <= longest_unrolled) {
    if (length == Length) {
      reduce_equal_rows<Length>(e, destination, first, count, prefetch);
    } else {
      reduce_rows_of<Length + 1>(length, e, destination, first, count, prefetch);
    }
  }
}

// all[0] ... all[count - 1] into `to`, and behind them what is only there to be readable.
template <typename T, typename S>
[[gnu::always_inline]] inline void fill_buffer(const S& all, index_t count, T* to, bool prefetch) {
  index_t i = 0;
  for (; i + 16 <= count; i += 16) {
    prefetch_ahead<16>(all, i, prefetch);
    eights_t<T> eight;
    load_eights<T>(all, i, eight);
    std::memcpy(to + i, &eight, sizeof eight);
    load_eights<T>(all, i + 8, eight);
    std::memcpy(to + i + 8, &eight, sizeof eight);
  }
  for (; i < count; ++i) {
    keep_scalar();
    to[i] = static_cast<T>(all[i]);
  }
  std::memset(static_cast<void*>(to + count), 0, readable_behind_rows * sizeof(T));
}

// `count` rows, of which row k has the elements [begins[k], begins[k + 1]), counted from the first
// row of a block on.
template <typename E, typename D>
[[gnu::noinline]] void reduce_buffered_rows(const E& e, const D& destination, index_t first,
                                            index_t count, const index_t* begins, bool prefetch) {
  using value_type = row_value_t<E>;
  using op = std::remove_cvref_t<decltype(row_t<E>::op)>;
  own_t<E> own = e;
  own_t<D> to = destination;
  alignas(64) value_type buffer[buffered_elements + readable_behind_rows];
  const index_t elements = begins[count] - begins[0];
  fill_buffer(widened(own[first].source, elements), elements, buffer, prefetch);
  index_t k = 0;
  for (; k + 8 <= count; k += 8) {
    value_type sums[8];
    reduce_eight_rows<op>(buffer, begins + k, begins[0], sums);
    for (index_t i = 0; i < 8; ++i) {
      const row_t<E> row = own[first + k + i];
      store<element_t<D>>(to[first + k + i], row.op(static_cast<value_type>(row.seed), sums[i]));
    }
  }
  if (k == count) return;
  index_t places[9];
  for (index_t i = 0; i < 9; ++i) places[i] = begins[std::min(k + i, count)];
  value_type sums[8];
  reduce_eight_rows<op>(buffer, places, begins[0], sums);
  for (index_t i = 0; i < 8 && k + i < count; ++i) {
    keep_scalar();
    const row_t<E> row = own[first + k + i];
    store<element_t<D>>(to[first + k + i], row.op(static_cast<value_type>(row.seed), sums[i]));
  }
}

// Rows that adjoin: runs of them through the buffer, what is too long by one_by_one(begin, end).
template <typename E, typename D, typename OneByOne>
void reduce_adjoining_rows(const E& e, const D& destination, index_t first, index_t count,
                           bool prefetch, const OneByOne& one_by_one) {
  // Where each row begins in what they are together, and where the last one ends.
  index_t begins[rows_at_once + 1];
  const row_t<E> front = e[first];
  begins[0] = 0;
  for (index_t k = 1; k < count; ++k) {
    begins[k] = distance_between(front.source, e[first + k].source);
  }
  begins[count] = begins[count - 1] + e[first + count - 1].source.size();
  for (index_t k = 0; k < count;) {
    index_t rows = count - k;
    if (begins[count] - begins[k] > buffered_elements) {
      rows = std::upper_bound(begins + k, begins + count + 1, begins[k] + buffered_elements) -
             (begins + k) - 1;
    }
    if (rows >= std::min(fewest_buffered_rows, count)) {
      reduce_buffered_rows(e, destination, first + k, rows, begins + k, prefetch);
    } else {
      rows = std::max<index_t>(rows, 1);
      one_by_one(first + k, first + k + rows);
    }
    k += rows;
  }
}

}  // namespace detail

/// The rows [begin, end) of `e`; one_by_one(begin, end) does those that are not short. In order:
/// within a row, elements are combined from left to right. `prefetch`: see has_far_rows().
template <bool InOrder, adjoining_rows_node E, typename D, typename OneByOne>
void reduce_short_rows(const E& e, const D& destination, index_t begin, index_t end, bool prefetch,
                       const OneByOne& one_by_one) {
  using value_type = detail::row_value_t<E>;
  using source = std::remove_cvref_t<decltype(row_t<E>::source)>;
  constexpr bool by_vectors =
      !InOrder && lane_operation<std::remove_cvref_t<decltype(row_t<E>::op)>, value_type> &&
      std::is_constructible_v<value_type, element_t<source>>;
  own_t<E> own = e;
  for (index_t first = begin; first < end; first += detail::rows_at_once) {
    const index_t count = std::min(end - first, detail::rows_at_once);
    const detail::row_block block = detail::look_at_rows(own, first, count);
    if (block.adjoin && block.equal && block.first_length <= detail::longest_unrolled) {
      detail::reduce_rows_of(block.first_length, own, destination, first, count, prefetch);
    } else if (by_vectors && block.adjoin && !block.equal) {
      if constexpr (by_vectors) {
        detail::reduce_adjoining_rows(own, destination, first, count, prefetch, one_by_one);
      }
    } else {
      one_by_one(first, first + count);
    }
  }
}

}  // namespace fettle::ndp::openmp
