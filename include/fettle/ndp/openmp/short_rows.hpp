// short_rows: reductions of rows of a few elements on one thread, where calls, loops and wrongly
// guessed branches would cost more than the elements.
//
//   | 32 to 128 rows that adjoin        | how                                                 |
//   | (adjoining.hpp)                   |                                                     |
//   |-----------------------------------|-----------------------------------------------------|
//   | all of one length, at most 16     | unrolled for this very length (equal_rows.hpp)      |
//   | of other lengths, 8 or a few more | all elements into a buffer, by vectors; from there  |
//   | on average                        | eight rows at a time (eight_rows.hpp)               |
//   | else                              | row by row (fold.hpp)                               |
//
// Where gathers are fast, row by row means gathered_rows.hpp, and five elements are enough for it.
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
#include <fettle/ndp/openmp/equal_rows.hpp>
#include <fettle/ndp/openmp/fold.hpp>
#include <fettle/ndp/openmp/gather_lanes.hpp>
#include <fettle/ndp/openmp/gathered_rows.hpp>
#include <fettle/ndp/openmp/lanes.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/openmp/prefetch.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/store.hpp>

namespace fettle::ndp::openmp {

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

inline constexpr index_t rows_looked_at = 32;
inline constexpr index_t rows_at_once = 4 * rows_looked_at;
// How many elements the buffer holds: rows of eight, on average.
inline constexpr index_t buffered_elements = 8 * rows_at_once;
// Fewer rows that fill the buffer are so long that they gain nothing from it.
template <typename Op, typename S, typename T>
[[nodiscard]] index_t fewest_buffered_rows() noexcept {
  if constexpr (gathered_lanes<Op, S, T>) {
    if (gathers_fast()) return 200;
  }
  return 24;
}

// Rows that are longer on average are gathered one by one, where gathers are fast.
inline constexpr index_t longest_looked_at = 9;

// What rows that follow each other are like.
struct row_block {
  index_t first_length;
  bool equal;   // in length
  bool adjoin;  // in memory
};

// Rows [first, first + count), count <= rows_looked_at; in full blocks also whether the last one
// adjoins the row behind them. Without branches and, in full blocks, of constant length, this
// becomes a few vector instructions where rows are pieces of memory between offsets.
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
  const index_t fewest =
      fewest_buffered_rows<std::remove_cvref_t<decltype(row_t<E>::op)>,
                           std::remove_cvref_t<decltype(row_t<E>::source)>, row_value_t<E>>();
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
    // As long on average as so many that fill the buffer, or shorter.
    if (rows > 0 && (begins[k + rows] - begins[k]) * fewest <= rows * buffered_elements) {
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
  if constexpr (!InOrder && gathered_rows_node<E>) {
    // Looking at rows would take as long as gathering these.
    if (detail::gathers_fast() && end - begin > 1 &&
        distance_between(own[begin].source, own[end - 1].source) >
            (end - begin) * detail::longest_looked_at) {
      one_by_one(begin, end);
      return;
    }
  }
  // Blocks of the same kind are done together.
  constexpr index_t of_any_length = -1;
  index_t run = begin;             // where the blocks begin that are not done yet
  index_t length = of_any_length;  // of their rows
  const auto finish_run = [&](index_t until) {
    if (run == until) return;
    if (length != of_any_length) {
      detail::reduce_rows_of<by_vectors>(length, own, destination, run, until - run, prefetch);
    } else if constexpr (by_vectors) {
      detail::reduce_adjoining_rows(own, destination, run, until - run, prefetch, one_by_one);
    }
    run = until;
  };
  for (index_t first = begin; first < end;) {
    const index_t count = std::min(end - first, detail::rows_looked_at);
    const detail::row_block block = detail::look_at_rows(own, first, count);
    const bool unrolled =
        block.adjoin && block.equal && block.first_length <= detail::longest_unrolled;
    const index_t its_length = unrolled ? block.first_length : of_any_length;
    if (its_length != length || (!unrolled && first - run == detail::rows_at_once)) {
      finish_run(first);
      length = its_length;
    }
    if (!unrolled && !(by_vectors && block.adjoin && !block.equal)) {
      finish_run(first);
      one_by_one(first, first + count);
      run = first + count;
    }
    first += count;
  }
  finish_run(end);
}

}  // namespace fettle::ndp::openmp
