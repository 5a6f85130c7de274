// node: what other kinds of computation there are for a GPU's kernels. Needs no CUDA.
#pragma once

#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What e[i] is; void for updates.
template <typename E>
struct element_of {
  using type = void;
};
template <typename E>
  requires requires(const E& e) { e[index_t{}]; }
struct element_of<E> {
  using type = std::remove_cvref_t<decltype(std::declval<const E&>()[index_t{}])>;
};
template <typename E>
using element_of_t = typename element_of<E>::type;

/// Everything whose elements do not depend on each other: maps, views, updates.
template <typename E>
concept elements_node = !is_reduced_v<E> && !is_scanned_v<E> && !is_reduced_by_key_v<E> &&
                        !is_selected_v<E> && !by_index_node<E> && !sort_node<E>;

/// A map > reduce, a map > scan.
template <typename E>
concept map_of_reductions = elements_node<E> && scalar_reduce_node<element_of_t<E>>;
template <typename E>
concept map_of_scans = elements_node<E> && scan_node<element_of_t<E>>;

/// A map whose rows are contiguous and can be cut into tiles.
template <typename E>
concept flat_rows_of_combinables = (map_of_reductions<E> || map_of_scans<E>) && has_flat_rows<E> &&
                                   is_combinable_v<element_of_t<E>>;

}  // namespace fettle::ndp::cuda::detail
