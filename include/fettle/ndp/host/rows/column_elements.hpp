// column_elements: maps and scans of the columns of a matrix that lies in memory row after row,
// transpositions, and rows whose results are written into columns, in the order of memory.
//
//   for (k in elements) for (u in columns) y[u][k] = f(x[u][k])
//
// A column by itself would read or write a cache line for every element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/host/rows/columns.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/columns.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename S>
inline constexpr bool goes_down_v = ndp::detail::is_columns_v<S> || ndp::detail::reads_columns_v<S>;

// Whether a row's elements are made by functions with state, which differ from row to row, and for
// which making the row may take long.
template <typename S>
inline constexpr bool has_state_v = false;
template <typename F, typename... S>
inline constexpr bool has_state_v<transformed_sequence<F, S...>> =
    !std::is_empty_v<F> || (has_state_v<S> || ...);

/// A row of values, or a scan, that costs nothing to make.
template <typename R>
inline constexpr bool is_light_row_v = elements_node<R> && !nested_node<R> && !effect_node<R> &&
                                       !row_wise<R> && !in_blocks<R> && !has_state_v<R>;
template <scan_node R>
inline constexpr bool is_light_row_v<R> =
    std::is_empty_v<std::remove_cvref_t<decltype(R::op)>> &&
    !has_state_v<std::remove_cvref_t<decltype(R::source)>> &&
    std::is_trivially_copyable_v<typename R::value_type> && sizeof(typename R::value_type) <= 64;

template <typename R>
struct row_value {
  using type = std::remove_cvref_t<element_t<R>>;
};
template <scan_node R>
struct row_value<R> {
  using type = typename R::value_type;
};

/// Rows that may be made again for each of their elements.
template <typename E>
concept light_rows =
    nested_node<E> && !ndp::detail::is_map_of_programs_v<E> && is_light_row_v<row_t<E>>;

/// A map of rows that reads columns, or writes them, an element for each that it reads.
template <typename E, typename D>
concept column_elements =
    light_rows<E> && nested<D> && (goes_down_v<E> || ndp::detail::is_columns_v<D>) &&
    !requires(const row_t<E>& row, element_t<D> into) { row.assign_to(into); } &&
    std::is_trivially_copyable_v<row_t<E>> && std::is_trivially_copyable_v<E>;

/// Columns whose elements fill a cache line.
template <typename E>
inline constexpr index_t columns_of_line =
    std::max(index_t{4}, 64 / static_cast<index_t>(sizeof(typename row_value<row_t<E>>::type)));

/// As many columns at once as fit into a part of the first-level cache; where only the source or
/// only the destination goes down, as many as fill a line of it.
template <typename E, typename D>
inline constexpr index_t columns_together =
    goes_down_v<E> && ndp::detail::is_columns_v<D> ? 128 * columns_of_line<E> : columns_of_line<E>;

/// The elements [from, until) of `columns` equally long columns from `first` on. A scan begins with
/// the first element.
template <typename E, typename D>
  requires column_elements<E, D>
[[gnu::noinline]] void assign_columns(const E& e, const D& destination, index_t first,
                                      index_t columns, index_t from, index_t until) {
  constexpr index_t block = std::min(index_t{64}, columns_together<E, D>);
  own_t<E> own = e;
  own_t<D> to = destination;
  if constexpr (scan_node<row_t<E>>) {
    using value_type = typename row_t<E>::value_type;
    value_type values[static_cast<std::size_t>(columns_together<E, D>)];
    for (index_t u = 0; u < columns; ++u) values[u] = static_cast<value_type>(own[first + u].seed);
    for (index_t k = from; k < until; ++k) {
      for_columns<block>(columns, [&](index_t u) {
        const row_t<E> row = own[first + u];
        const auto next = static_cast<value_type>(row.op(values[u], row.source[k]));
        auto&& into = to[first + u];
        store<element_t<decltype(into)>>(into[k], row_t<E>::is_inclusive ? next : values[u]);
        values[u] = next;
      });
    }
  } else {
    for (index_t k = from; k < until; ++k) {
      for_columns<block>(columns, [&](index_t u) { assign_one(to[first + u], own[first + u], k); });
    }
  }
}

/// The columns [begin, end), on one thread; one_by_one(begin, end) does one whose neighbours are of
/// another length.
template <typename E, typename D, typename OneByOne>
void assign_neighbouring_columns(const E& e, const D& destination, index_t begin, index_t end,
                                 const OneByOne& one_by_one) {
  for (index_t columns = 0; begin < end; begin += columns) {
    columns = equal_columns(e, begin, std::min(begin + columns_together<E, D>, end));
    if (columns == 1) {
      one_by_one(begin, begin + columns);
    } else {
      assign_columns(e, destination, begin, columns, 0, e[begin].size());
    }
  }
}

}  // namespace fettle::ndp::host::detail
