// columns: reductions of the columns of a matrix that lies in memory row after row, in the order of
// memory.
//
//   for (four rows of the matrix) for (u in columns) y[u] = y[u] op x[0][u] op ... op x[3][u]
//
// A column by itself would read a cache line for every element, and a few side by side leave a
// page for every row. Within a column, elements are combined from top to bottom.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/shape/columns.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A map whose elements are reductions of columns, to numbers or small structures.
template <typename E>
concept columns_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> && ndp::detail::reads_columns_v<E> &&
    ndp::detail::of_numbers<typename row_t<E>::value_type> &&
    sizeof(typename row_t<E>::value_type) <= 64 &&
    !std::is_same_v<typename row_t<E>::value_type, bool> &&
    std::is_trivially_copyable_v<row_t<E>> && std::is_trivially_copyable_v<E>;

/// As many columns at once as values fit into a part of the first-level cache.
template <columns_node E>
inline constexpr index_t columns_at_once =
    8192 / static_cast<index_t>(sizeof(typename row_t<E>::value_type));

// body(u) for u in [0, columns), in any order; by blocks of a fixed length: see assign_blocks().
template <index_t Block, typename F>
[[gnu::always_inline]] inline void for_columns(index_t columns, const F& body) {
  index_t u = 0;
  for (; u + Block <= columns; u += Block) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (index_t i = 0; i < Block; ++i) body(u + i);
  }
  for (; u < columns; ++u) body(u);
}

// values[u] = values[u] op the Elements elements from k on of column first + u.
template <int Elements, columns_node E, typename T>
[[gnu::always_inline]] inline void add_elements(const E& e, index_t first, index_t columns,
                                                index_t k, T* values) {
  for_columns<64>(columns, [&](index_t u) {
    const row_t<E> column = e[first + u];
    T value = values[u];
    for (int i = 0; i < Elements; ++i)
      value = static_cast<T>(column.op(value, column.source[k + i]));
    values[u] = value;
  });
}

// The elements [from, until) of the columns [first, first + columns).
template <columns_node E, typename T>
inline void add_to_columns(const E& e, index_t first, index_t columns, index_t from, index_t until,
                           T* values) {
  for (; from + 4 <= until; from += 4) add_elements<4>(e, first, columns, from, values);
  for (; from < until; ++from) add_elements<1>(e, first, columns, from, values);
}

/// How many elements a row has, or reads.
template <typename R>
[[nodiscard]] index_t length_of_row(const R& row) {
  if constexpr (requires { row.size(); }) {
    return row.size();
  } else {
    return row.source.size();
  }
}

/// How many of the columns [begin, end) are as long as the first of them, up to one that is not.
template <typename E>
[[nodiscard]] index_t equal_columns(const E& e, index_t begin, index_t end) {
  if (begin == end) return 0;
  const index_t length = length_of_row(e[begin]);
  index_t u = begin + 1;
  while (u < end && length_of_row(e[u]) == length) ++u;
  return u - begin;
}

/// The columns [begin, end), on one thread; one_by_one(begin, end) reduces one whose neighbours are
/// of another length.
template <columns_node E, typename D, typename OneByOne>
void reduce_columns(const E& e, const D& destination, index_t begin, index_t end,
                    const OneByOne& one_by_one) {
  using value_type = typename row_t<E>::value_type;
  own_t<E> own = e;
  own_t<D> to = destination;
  for (index_t columns = 0; begin < end; begin += columns) {
    columns = equal_columns(own, begin, std::min(begin + columns_at_once<E>, end));
    if (columns == 1) {
      one_by_one(begin, begin + columns);
      continue;
    }
    const index_t length = own[begin].source.size();
    value_type values[static_cast<std::size_t>(columns_at_once<E>)];
    for (index_t u = 0; u < columns; ++u) values[u] = static_cast<value_type>(own[begin + u].seed);
    add_to_columns(own, begin, columns, 0, length, values);
    for (index_t u = 0; u < columns; ++u) store<element_t<D>>(to[begin + u], values[u]);
  }
}

}  // namespace fettle::ndp::host::detail
