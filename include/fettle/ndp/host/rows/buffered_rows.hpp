// buffered_rows: reductions of rows of a few elements of mixed lengths, on one thread.
//
// The rows lie side by side in memory. All their elements are computed by vectors, without regard
// to where rows end, into a buffer; from there four or eight rows at a time are reduced.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/computed_block.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/prefetch.hpp>
#include <fettle/ndp/host/rows/contiguous_rows.hpp>
#include <fettle/ndp/host/rows/gathered_rows.hpp>
#include <fettle/ndp/host/rows/rows_together.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// The most rows that reduce_contiguous_rows() takes.
inline constexpr index_t rows_at_once = 128;
// How many elements the buffer holds: rows of eight, on average.
inline constexpr index_t buffered_elements = 8 * rows_at_once;

// Whether a function of the user's makes the rows' numbers. Compilers branch where it chooses, but
// not in a loop of a fixed length (computed_block.hpp), by which the buffer is filled.
template <typename E>
inline constexpr bool has_computed_rows_v =
    is_computed_v<std::remove_cvref_t<decltype(row_t<E>::source)>>;

// Rows that are longer on average gain nothing from the buffer.
template <typename E>
[[nodiscard]] index_t longest_buffered() noexcept {
  if constexpr (has_computed_rows_v<E>) return computed_elements;
  if constexpr (gathered_rows_node<E>) {
    if (gathers_fast()) return 4;
  }
  return lane_bytes >= 64 ? 42 : rows_together<row_value_t<E>>;
}

// all[0] ... all[count - 1] into `to`, and behind them what is only there to be readable.
template <typename T, typename S>
[[gnu::always_inline]] inline void fill_buffer(const S& all, index_t count, T* to, bool prefetch) {
  constexpr int width = rows_together<T>;
  index_t i = 0;
  if constexpr (is_computed_v<S>) {
    for (; i + computed_elements <= count; i += computed_elements) {
      prefetch_ahead<computed_elements>(all, i, prefetch);
      compute_block<computed_elements>(all, i, to + i);
    }
  }
  for (; i + 16 <= count; i += 16) {
    prefetch_ahead<16>(all, i, prefetch);
    if constexpr (is_computed_v<S>) {
      compute_block<16>(all, i, to + i);
    } else {
      for_each_below<16 / width>([&](std::size_t k) {
        const index_t first = i + static_cast<index_t>(k) * width;
        vector_t<T, width> some;
        load_vector<T, width>(all, first, some);
        std::memcpy(to + first, &some, sizeof some);
      });
    }
  }
  for (; i < count; ++i) {
    keep_scalar();
    to[i] = static_cast<T>(all[i]);
  }
  std::memset(static_cast<void*>(to + count), 0, readable_behind_rows * sizeof(T));
}

// The same, compiled once for rows of all lengths.
template <typename T, typename S>
[[gnu::noinline]] void fill_buffer_apart(const S& all, index_t count, T* to, bool prefetch) {
  fill_buffer(all, count, to, prefetch);
}

// `count` rows, of which row k has the elements [begins[k], begins[k + 1]), counted from the first
// row of a block on.
template <typename E, typename D>
[[gnu::noinline]] void reduce_buffered_rows(const E& e, const D& destination, index_t first,
                                            index_t count, const index_t* begins, bool prefetch) {
  using value_type = row_value_t<E>;
  using op = std::remove_cvref_t<decltype(row_t<E>::op)>;
  constexpr int together = rows_together<value_type>;
  own_t<E> own = e;
  own_t<D> to = destination;
  alignas(64) value_type buffer[buffered_elements + readable_behind_rows];
  const index_t elements = begins[count] - begins[0];
  fill_buffer(widened(own[first].source, elements), elements, buffer, prefetch);
  index_t k = 0;
  for (; k + together <= count; k += together) {
    value_type sums[std::size_t{together}];
    reduce_rows_together<op, together>(buffer, begins + k, begins[0], sums);
    for (index_t i = 0; i < together; ++i) {
      const row_t<E> row = own[first + k + i];
      store<element_t<D>>(to[first + k + i], row.op(static_cast<value_type>(row.seed), sums[i]));
    }
  }
  if (k == count) return;
  index_t offsets[std::size_t{together} + 1];
  for (index_t i = 0; i <= together; ++i) offsets[i] = begins[std::min(k + i, count)];
  value_type sums[std::size_t{together}];
  reduce_rows_together<op, together>(buffer, offsets, begins[0], sums);
  for (index_t i = 0; i < together && k + i < count; ++i) {
    keep_scalar();
    const row_t<E> row = own[first + k + i];
    store<element_t<D>>(to[first + k + i], row.op(static_cast<value_type>(row.seed), sums[i]));
  }
}

// Contiguous rows: runs of them through the buffer, what is too long by one_by_one(begin, end).
template <typename E, typename D, typename OneByOne>
void reduce_contiguous_rows(const E& e, const D& destination, index_t first, index_t count,
                            bool prefetch, const OneByOne& one_by_one) {
  const index_t longest = longest_buffered<E>();
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
    if (rows > 0 && begins[k + rows] - begins[k] <= rows * longest) {
      reduce_buffered_rows(e, destination, first + k, rows, begins + k, prefetch);
    } else {
      rows = std::max<index_t>(rows, 1);
      one_by_one(first + k, first + k + rows);
    }
    k += rows;
  }
}

}  // namespace fettle::ndp::host::detail
