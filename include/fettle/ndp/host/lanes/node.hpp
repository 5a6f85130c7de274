// node: what other kinds of computation there are on OpenMP, and where the result of each element
// of a nested one goes.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename E>
inline constexpr bool is_scattered_v = false;
template <typename S, typename Indices, typename D>
inline constexpr bool is_scattered_v<scattered<S, Indices, D>> = true;

template <typename E>
concept scalar_by_key_node = is_reduced_by_key_v<E> && !sequence_like<typename E::value_type>;

/// A segmented reduction of rows to rows: reduce_by_key > map.
template <typename E>
concept row_by_key_node = is_reduced_by_key_v<E> && sequence_like<typename E::value_type>;

template <typename E>
concept scatter_node = is_scattered_v<E>;

/// What has to be realised, as opposed to a value that is simply stored.
template <typename E>
concept realisable =
    is_reduced_v<E> || is_scanned_v<E> || is_reduced_by_key_v<E> || is_scattered_v<E> ||
    is_selected_v<E> || by_index_node<E> || sort_node<E> || random_access<E>;

/// Elements that can be taken one by one: map and all views.
template <typename E>
concept elements_node = random_access<E>;

template <elements_node E>
using row_t = std::remove_cvref_t<element_t<E>>;

/// ... each of which is a separate computation.
template <typename E>
concept nested_node = elements_node<E> && realisable<row_t<E>>;

/// ... each of which is only called for its effect.
template <typename E>
concept effect_node = elements_node<E> && std::is_void_v<element_t<E>>;

/// The destination of `row`, the i-th element of the nested computation `e`: an element of the
/// destination, or a row of it.
template <nested_node E, typename D>
[[nodiscard]] constexpr decltype(auto) destination_of([[maybe_unused]] const E& e,
                                                      const D& destination, index_t i,
                                                      [[maybe_unused]] const row_t<E>& row) {
  using inner = row_t<E>;
  if constexpr (std::is_same_v<D, no_destination> || scatter_node<inner>) {
    return no_destination{};
  } else if constexpr (scalar_reduce_node<inner> || nested<D>) {
    return destination[i];
  } else if constexpr (row_reduce_node<inner>) {
    const index_t length = row.seed.size();
    return subsequence(destination, i * length, length);
  } else if constexpr (has_row_offsets<E>) {
    return subsequence(destination, e.row_begin(i), row.size());
  } else {
    return destination_row(e, destination, i, row.size());
  }
}

}  // namespace fettle::ndp::host::detail
