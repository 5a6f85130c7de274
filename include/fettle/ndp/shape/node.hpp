// node: what kinds of reductions and scans there are, for every platform.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A reduction to one value that is not a sequence.
template <typename E>
concept scalar_reduce_node = is_reduced_v<E> && !sequence_like<typename E::value_type>;

/// A reduction of rows to a row: reduce > map.
template <typename E>
concept row_reduce_node = is_reduced_v<E> && sequence_like<typename E::value_type>;

template <typename E>
concept scan_node = is_scanned_v<E>;

template <typename E>
concept by_index_node = is_reduced_by_index_v<E>;

template <typename E>
concept sort_node = is_sorted_v<E>;

/// A filter, partition or unique.
template <typename E>
concept selection_node = is_selected_v<E>;

}  // namespace fettle::ndp
