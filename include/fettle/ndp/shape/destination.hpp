// Where results go: the elements of a destination, one scalar or one row each, and the assignment
// of what an operator yields to them.
//
// A nested result (a scan a row) goes into a nested destination row by row, or into a flat one,
// where each row begins at the index at which it begins in the first nested argument of the
// expression.
#pragma once

#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// "No destination": for a map whose function returns void, and for scatter.
struct no_destination {};

namespace detail {

template <std::size_t Index, typename... S>
FETTLE_HOST_DEVICE constexpr const auto& first_with_offsets(const tuple<S...>& sources) {
  using source = std::tuple_element_t<Index, std::tuple<S...>>;
  if constexpr (has_row_offsets<source>) {
    return get<Index>(sources);
  } else {
    return first_with_offsets<Index + 1>(sources);
  }
}

}  // namespace detail

/// A map over at least one nested sequence that knows where its rows lie.
template <typename E>
inline constexpr bool has_outer_shape_v = false;
template <typename F, typename... S>
inline constexpr bool has_outer_shape_v<transformed_sequence<F, S...>> =
    (has_row_offsets<S> || ...);

/// The first argument of a map that knows where its rows lie: what gives a nested computation its
/// shape.
template <typename F, typename... S>
  requires has_outer_shape_v<transformed_sequence<F, S...>>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr const auto& outer_shape(
    const transformed_sequence<F, S...>& e) {
  return detail::first_with_offsets<0>(e.sources);
}

/// Row i of the destination of the nested computation `e`, for `count` elements.
template <typename E, random_access D>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto destination_row(const E& e, const D& destination,
                                                                index_t i, index_t count) {
  if constexpr (nested<D>) {
    auto row = destination[i];
    check_same_size("execute: row of the destination", row.size(), count);
    return row;
  } else {
    static_assert(has_outer_shape_v<E>,
                  "execute: a flat destination for nested results needs an argument with "
                  "contiguous rows (nest or split, not windows, halo or cyclic); give a nested "
                  "destination instead");
    if constexpr (has_outer_shape_v<E>) {
      return subsequence(destination, outer_shape(e).row_begin(i), count);
    } else {
      return destination;
    }
  }
}

}  // namespace fettle::ndp
