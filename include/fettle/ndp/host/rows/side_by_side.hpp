// side_by_side: reductions of several equally long rows at once, element by element.
//
// Rows that a user's function makes of an index (windows of a signal, columns of a matrix, the
// columns of a sparse product) are not contiguous pieces of memory, but the k-th elements
// of neighbouring rows often are. So this goes through
//
//   for (k in a row) for (u in [0, 8)) y[u] = op(y[u], row[u][k])
//
// which is a vector instruction an element where the processor has one, and eight independent
// chains of operations where not. Within a row, elements are combined from left to right: the
// result is that of fold_in_order(), bit for bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A map whose elements are reductions to numbers, of rows that no argument of it gives.
template <typename E>
concept side_by_side_node =
    nested_node<E> && scalar_reduce_node<row_t<E>> && !has_outer_shape_v<E> &&
    std::is_arithmetic_v<typename row_t<E>::value_type> && std::is_trivially_copyable_v<row_t<E>>;

// Whether a map's rows are the columns of a matrix: then those beside each other share cache lines.
template <typename S>
inline constexpr bool is_columns_v = false;
template <typename S>
inline constexpr bool is_columns_v<transposed_sequence<S>> = true;
template <typename S>
inline constexpr bool is_columns_v<cyclic_sequence<S>> = true;

template <typename E>
inline constexpr bool reads_columns_v = false;
template <typename F, typename... S>
inline constexpr bool reads_columns_v<transformed_sequence<F, S...>> = (is_columns_v<S> || ...);

// Whether making a row costs nothing: a function without state only names what it reduces.
template <typename E>
inline constexpr bool makes_columns_v = false;
template <typename F, typename... S>
inline constexpr bool makes_columns_v<transformed_sequence<F, S...>> =
    std::is_empty_v<F> && reads_columns_v<transformed_sequence<F, S...>>;

/// How many rows are reduced at once: of columns what is in four cache lines, where the compiler
/// can make a loop of them.
template <typename E>
inline constexpr index_t rows_side_by_side =
    makes_columns_v<E> ? 256 / static_cast<index_t>(sizeof(typename row_t<E>::value_type)) : 8;

/// Longer rows are reduced by lanes, one after the other. Of a column that would read a cache line
/// an element.
template <typename E>
inline constexpr index_t longest_side_by_side =
    reads_columns_v<E> ? std::numeric_limits<index_t>::max() : shortest_by_lanes - 1;

// Rows [first, first + rows_side_by_side) if they are equally long and not too long.
template <typename E, typename D, std::size_t... U>
[[gnu::always_inline]] inline bool reduce_side_by_side(const E& e, const D& destination,
                                                       index_t first,
                                                       std::index_sequence<U...> /*rows*/) {
  using row_type = row_t<E>;
  using value_type = typename row_type::value_type;
  const row_type rows[] = {e[first + static_cast<index_t>(U)]...};
  const index_t length = rows[0].source.size();
  if (length > longest_side_by_side<E> || ((rows[U].source.size() != length) || ...)) return false;
  value_type values[] = {static_cast<value_type>(rows[U].seed)...};
  for (index_t k = 0; k < length; ++k) {
    ((values[U] = rows[U].op(values[U], rows[U].source[k])), ...);
  }
  (store<element_t<D>>(destination[first + static_cast<index_t>(U)], values[U]), ...);
  return true;
}

// The same for columns, which are made anew for each element: the compiler sees that it reads
// neighbours.
template <typename E, typename D>
inline bool reduce_columns(const E& e, const D& destination, index_t first) {
  using value_type = typename row_t<E>::value_type;
  constexpr index_t columns = rows_side_by_side<E>;
  const index_t length = e[first].source.size();
  index_t differences = 0;
  value_type values[std::size_t{columns}];
  for (index_t u = 0; u < columns; ++u) {
    const row_t<E> column = e[first + u];
    differences |= column.source.size() ^ length;
    values[u] = static_cast<value_type>(column.seed);
  }
  if (differences != 0) return false;
  for (index_t k = 0; k < length; ++k) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (index_t u = 0; u < columns; ++u) {
      const row_t<E> column = e[first + u];
      values[u] = column.op(values[u], column.source[k]);
    }
  }
  for (index_t u = 0; u < columns; ++u) store<element_t<D>>(destination[first + u], values[u]);
  return true;
}

template <typename E, typename D>
[[nodiscard]] inline bool reduce_group(const E& e, const D& destination, index_t first) {
  if constexpr (makes_columns_v<E>) {
    return reduce_columns(e, destination, first);
  } else {
    return reduce_side_by_side(e, destination, first,
                               std::make_index_sequence<std::size_t{rows_side_by_side<E>}>{});
  }
}

/// The rows [begin, end) of `e` in groups, as far as those of a group are equally long and not too
/// long; one_by_one(begin, end) reduces the others.
template <side_by_side_node E, typename D, typename OneByOne>
void reduce_in_groups(const E& e, const D& destination, index_t begin, index_t end,
                      const OneByOne& one_by_one) {
  own_t<E> own = e;
  own_t<D> to = destination;
  constexpr index_t rows = rows_side_by_side<E>;
  while (begin + rows <= end) {
    // Making rows may cost something: after rows of several lengths it is not tried at once again.
    const bool equal = reduce_group(own, to, begin);
    const index_t done = equal ? begin + rows : std::min(begin + 8 * rows, end);
    if (!equal) one_by_one(begin, done);
    begin = done;
  }
  one_by_one(begin, end);
}

}  // namespace fettle::ndp::host::detail
