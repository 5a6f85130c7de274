// packed_columns: rows that are the columns of a matrix in memory, and are read more than once or
// by functions with state: some columns at a time are copied, so that each is contiguous, and then
// treated like other rows.
//
//   for (block of columns) { packed[u][k] = x[k][u]; for (u in block) y[u] = f(packed[u]); }
//
// A column where it lies would cost a cache line an element, each time that it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/host/rows/columns.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/shape/columns.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename S>
struct packed_rows {
  using type = decltype(subsequence(std::declval<const S&>(), index_t{}, index_t{}));
  static constexpr std::size_t bytes = 0;  // an element
  static constexpr bool is_plain = true;
};
template <typename S>
  requires ndp::detail::is_columns_v<S>
struct packed_rows<S> {
  using value_type = std::remove_cvref_t<element_t<element_t<S>>>;
  using type = tiled_sequence<sequence<const value_type>>;
  static constexpr std::size_t bytes = sizeof(value_type);
  static constexpr bool is_plain = std::is_trivially_copyable_v<value_type> && bytes <= 16;
};

/// `E` with packed columns in the place of those of a matrix.
template <typename E>
struct with_packed_columns {
  static constexpr bool found = false;
};
template <typename F, typename... S>
  requires(ndp::detail::reads_columns_v<transformed_sequence<F, S...>> &&
           std::is_invocable_v<const F&, element_t<typename packed_rows<S>::type>...> &&
           (packed_rows<S>::is_plain && ...))
struct with_packed_columns<transformed_sequence<F, S...>> {
  static constexpr bool found = true;
  static constexpr std::size_t bytes = (packed_rows<S>::bytes + ...);  // an element of all
  using type = transformed_sequence<F, typename packed_rows<S>::type...>;
};

/// Maps whose rows are not made from columns as they lie: row programs, functions with state.
template <typename E, typename D>
concept packs_columns =
    with_packed_columns<E>::found && !columns_node<E> && !column_elements<E, D> &&
    !effect_node<E> && random_access<D> && nested_node<E> == nested<D> &&
    nested_node<typename with_packed_columns<E>::type> == nested_node<E>;

inline constexpr std::size_t pack_alignment = 16;

// The columns [first, first + columns) of one source, in `memory`, which is behind them afterwards.
template <typename S>
[[nodiscard]] typename packed_rows<S>::type pack(const S& source, index_t first, index_t columns,
                                                 std::byte*& memory) {
  if constexpr (!ndp::detail::is_columns_v<S>) {
    return subsequence(source, first, columns);
  } else {
    using value_type = typename packed_rows<S>::value_type;
    const index_t length = source[first].size();
    auto* const to = reinterpret_cast<value_type*>(memory);
    for (index_t k = 0; k < length; ++k) {
      for (index_t u = 0; u < columns; ++u) to[u * length + k] = source[first + u][k];
    }
    const std::size_t bytes = static_cast<std::size_t>(columns * length) * sizeof(value_type);
    memory += (bytes + pack_alignment - 1) / pack_alignment * pack_alignment;
    return {{to, columns * length}, length};
  }
}

/// Columns that are packed together: as many as share a cache line.
template <typename E>
inline constexpr index_t columns_of_pack =
    std::max(index_t{8}, 64 / static_cast<index_t>(with_packed_columns<E>::bytes));

/// Of a shorter column the lines stay in the first-level cache, where its neighbours find them.
inline constexpr std::size_t shortest_packed = 64;

// What so many columns take; 0 where packing is not worthwhile.
template <typename E>
[[nodiscard]] std::size_t bytes_of_pack(const E& e) {
  constexpr std::size_t most = std::size_t{4} << 20;  // a part of the second-level cache
  constexpr auto columns = static_cast<std::size_t>(columns_of_pack<E>);
  const auto length = static_cast<std::size_t>(ndp::detail::length_of_columns(e));
  const std::size_t bytes = columns * (length * with_packed_columns<E>::bytes + pack_alignment);
  return length < shortest_packed || bytes > most ? 0 : bytes;
}

// How many of the rows [begin, end) are packed together: as many as have columns of one length; 0
// for those that have none.
template <typename F, typename... S>
[[nodiscard]] index_t packed_together(const transformed_sequence<F, S...>& e, index_t begin,
                                      index_t end) {
  index_t last = std::min(end, begin + columns_of_pack<transformed_sequence<F, S...>>);
  const auto shorten = [&](const auto& source) {
    if constexpr (ndp::detail::is_columns_v<std::remove_cvref_t<decltype(source)>>) {
      const bool is_empty = begin < last && source[begin].size() == 0;
      last = is_empty ? begin : begin + equal_columns(source, begin, last);
    }
  };
  [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
    (shorten(get<Is>(e.sources)), ...);
  }(std::index_sequence_for<S...>{});
  return last - begin;
}

template <nested_node E>
using result_value_t = std::remove_cvref_t<element_t<row_t<E>>>;

/// Rows of values whose results go into columns.
template <typename E, typename D>
concept fills_columns =
    nested_node<E> && ndp::detail::is_columns_v<D> && elements_node<row_t<E>> &&
    !nested_node<row_t<E>> && !effect_node<row_t<E>> &&
    std::is_default_constructible_v<result_value_t<E>> && !std::is_same_v<result_value_t<E>, bool>;

// All rows of `e` into columns, first row by row into `results`, then by elements, so that what
// lies side by side is written together; false where they are not of one length.
template <typename E, typename D, typename T>
[[nodiscard]] bool fill_columns(const E& e, const D& destination, std::vector<T>& results) {
  const index_t columns = e.size();
  index_t length = -1;
  for (index_t u = 0; u < columns; ++u) {
    const row_t<E> row = e[u];  // of a program it is valid until the next one is made
    if (u > 0 && row.size() != length) return false;
    length = row.size();
    results.resize(static_cast<std::size_t>(columns * length));
    assign(sequence<T>(results.data() + u * length, length), row, 0, length);
  }
  for (index_t k = 0; k < length; ++k) {
    for (index_t u = 0; u < columns; ++u) {
      assign_one(destination[u], sequence<const T>(results.data() + u * length, length), k);
    }
  }
  return true;
}

/// take(e, destination, first, last) for parts of the rows [begin, end) of `e`, whose columns are
/// packed where that is worthwhile.
template <typename F, typename... S, typename D, typename Take>
void pack_columns(const transformed_sequence<F, S...>& e, const D& destination, index_t begin,
                  index_t end, const Take& take) {
  using node = transformed_sequence<F, S...>;
  const std::size_t bytes = end - begin < 2 ? 0 : bytes_of_pack(e);
  if (bytes == 0) {
    take(e, destination, begin, end);
    return;
  }
  const std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
  constexpr bool fills = fills_columns<typename with_packed_columns<node>::type, D>;
  [[maybe_unused]] auto results = [] {
    if constexpr (fills) {
      return std::vector<result_value_t<typename with_packed_columns<node>::type>>();
    } else {
      return no_destination{};
    }
  }();
  for (index_t columns = 0; begin < end; begin += columns) {
    columns = packed_together(e, begin, end);
    if (columns == 0) {
      take(e, destination, begin, end);
      return;
    }
    std::byte* at = memory.get();
    [&]<std::size_t... Is>(std::index_sequence<Is...> /*sources*/) {
      // In braces: one after the other.
      const std::tuple<typename packed_rows<S>::type...> rows{
          pack(get<Is>(e.sources), begin, columns, at)...};
      const typename with_packed_columns<node>::type its{
          e.function, tuple_of<typename packed_rows<S>::type...>(std::get<Is>(rows)...)};
      const auto into = subsequence(destination, begin, columns);
      if constexpr (fills) {
        if (fill_columns(its, into, results)) return;
      }
      take(its, into, 0, columns);
    }(std::index_sequence_for<S...>{});
  }
}

}  // namespace fettle::ndp::host::detail
