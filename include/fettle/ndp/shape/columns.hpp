// columns: maps whose rows are the columns of a matrix, so that what neighbouring rows read lies
// side by side.
#pragma once

#include <cstddef>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/transpose.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename S>
inline constexpr bool is_columns_v = false;
template <typename S>
inline constexpr bool is_columns_v<transposed_sequence<S>> = true;
template <typename S>
inline constexpr bool is_columns_v<cyclic_sequence<S>> = true;

/// A map of a transpose or a cyclic.
template <typename E>
inline constexpr bool reads_columns_v = false;
template <typename F, typename... S>
inline constexpr bool reads_columns_v<transformed_sequence<F, S...>> = (is_columns_v<S> || ...);

/// How long the columns are at most; no element is read.
template <typename S>
[[nodiscard]] constexpr index_t column_length(const S& source) {
  if constexpr (is_columns_v<S>) {
    return source.row_size();
  } else {
    return 0;
  }
}
template <typename F, typename... S, std::size_t... Is>
[[nodiscard]] constexpr index_t longest_column(const transformed_sequence<F, S...>& e,
                                               std::index_sequence<Is...> /*sources*/) {
  index_t longest = 0;
  for (const index_t length : {column_length(get<Is>(e.sources))...}) {
    longest = length > longest ? length : longest;
  }
  return longest;
}
template <typename F, typename... S>
  requires reads_columns_v<transformed_sequence<F, S...>>
[[nodiscard]] constexpr index_t length_of_columns(const transformed_sequence<F, S...>& e) {
  return longest_column(e, std::index_sequence_for<S...>{});
}

}  // namespace fettle::ndp::detail
