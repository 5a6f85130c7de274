// distribute: a computation over a group of devices. What can be divided is: a map becomes map >
// map, the outer over devices; reduce, scan and reduce_by_key have a step that combines. All else
// runs as a whole on the first device.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/destination_part.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/part_of.hpp>
#include <fettle/ndp/devices/reduce.hpp>
#include <fettle/ndp/devices/reduce_by_key.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

template <typename E>
inline constexpr bool is_map_v = false;
template <typename F, typename... S>
inline constexpr bool is_map_v<transformed_sequence<F, S...>> = true;
template <typename E>
inline constexpr bool is_scattered_v = false;
template <typename S, typename Indices, typename D>
inline constexpr bool is_scattered_v<scattered<S, Indices, D>> = true;

/// Values that the host combines and copies.
template <typename T>
inline constexpr bool is_combinable_v =
    std::is_default_constructible_v<T> && std::is_trivially_copyable_v<T> &&
    alignof(T) <= alignof(std::max_align_t);

template <typename E, typename D>
[[nodiscard]] consteval bool divides_elements() {
  if constexpr (writes_flat_rows_v<E, D>) {
    // Rows of a reduce > map lie where no shape says.
    return is_map_v<E> && has_outer_shape_v<E> && sequence_like<result_t<E>> &&
           !row_reduce_node<result_t<E>>;
  } else if constexpr (is_map_v<E> || is_scattered_v<E>) {
    return true;
  } else {
    return operation<E> && random_access<E> && !nested<E>;
  }
}

template <typename E, typename D>
[[nodiscard]] consteval bool divides_runs() {
  if constexpr (sequence_like<typename E::value_type>) {
    return false;
  } else {
    return is_combinable_v<typename E::value_type> &&
           std::is_convertible_v<element_t<D>, typename E::value_type>;
  }
}

template <typename E, typename D>
[[nodiscard]] consteval bool is_divisible() {
  if constexpr (scalar_reduce_node<E> || scan_node<E>) {
    return !sequence_like<typename E::value_type> && is_combinable_v<typename E::value_type>;
  } else if constexpr (row_reduce_node<E> || by_index_node<E> || sort_node<E> ||
                       selection_node<E> || returns_count<E>) {
    return false;  // before runs: those of runs_by_key are reductions by key, too
  } else if constexpr (is_reduced_by_key_v<E>) {
    return divides_runs<E, D>();
  } else {
    return divides_elements<E, D>();
  }
}

template <typename E>
[[nodiscard]] constexpr index_t size_of(const E& e) {
  if constexpr (scalar_reduce_node<E>) {
    return e.source.size();
  } else {
    return e.size();
  }
}

/// Rows of any lengths: what partition_by::automatic cuts by work.
template <typename E>
inline constexpr bool has_any_rows_v = false;
template <typename E>
  requires has_outer_shape_v<E>
inline constexpr bool has_any_rows_v<E> =
    counts_from_whole_v<std::remove_cvref_t<decltype(outer_shape(std::declval<const E&>()))>>;

/// Whether a computation can be divided among devices.
template <typename E, typename D>
inline constexpr bool is_divisible_v = is_divisible<E, D>();

/// Where `e` is cut. The group reads offsets, which may lie on a device.
template <typename Group, typename E>
[[nodiscard]] cuts cuts_of(Group& group, const computation& named, const E& e, int parts,
                           partition_by wanted) {
  const index_t count = size_of(e);
  if constexpr (has_any_rows_v<E>) {
    if (wanted != partition_by::rows && count > 0 && parts > 1) {
      return group.cut_work(named, outer_shape(e), parts);
    }
  } else if constexpr (has_outer_shape_v<E>) {
    if (wanted == partition_by::work && count > 0) {
      const auto& shape = outer_shape(e);
      return work_cuts(row_ends_of<std::remove_cvref_t<decltype(shape)>>{shape, shape.row_begin(0)},
                       count, parts);
    }
  }
  return equal_cuts(count, parts);
}

/// `e` into `destination` over all devices of the group; each part by `how`.
template <group_like Group, typename How, typename E, typename D>
void distribute(Group& group, const computation& named, const E& e, const D& destination,
                const How& how, partition_by wanted) {
  if constexpr (!is_divisible_v<E, D>) {
    group.whole(named, [&](const auto& on) { how(on, named, e, destination); });
  } else {
    if (group.size() == 1 || size_of(e) == 0) {
      group.whole(named, [&](const auto& on) { how(on, named, e, destination); });
      return;
    }
    const cuts where = cuts_of(group, named, e, group.size(), wanted);
    if constexpr (scalar_reduce_node<E>) {
      reduce_into(group, named, where, how, e, destination);
    } else if constexpr (scan_node<E>) {
      scan_into(group, named, where, how, e, destination);
    } else if constexpr (is_reduced_by_key_v<E>) {
      reduce_by_key_into(group, named, where, how, e, destination);
    } else {
      group.in_parts(named, where, [&](int p, const auto& on) {
        how(on, named, part_of_computation(e, where.begin(p), where.size(p)),
            destination_part(e, destination, where.begin(p), where.size(p)));
      });
    }
  }
}

}  // namespace fettle::ndp::devices::detail
