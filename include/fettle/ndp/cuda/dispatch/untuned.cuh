// untuned: schedules and policies for computations whose best implementation depends on little but
// their type; rows of any lengths are the default rule's business.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/dispatch/dispatch.cuh>
#include <fettle/ndp/cuda/generic/copy_packets.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/mixed_rows.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/policy/scan_block.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/cooperative_reduce.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Many blocks are done sooner where each has fewer threads to combine; one block is done sooner
/// where it has more, as long as their values fit its registers.
inline constexpr policy untuned_reduce_policy{.block_size_x = 256};
template <typename E>
inline constexpr policy untuned_one_block_policy{
    .block_size_x = sizeof(typename E::value_type) > 16 ? 256 : 512};

template <typename E>
inline constexpr policy untuned_scan_policy = [] {
  constexpr std::size_t value_bytes = sizeof(typename E::value_type);
  constexpr int threads = scan_threads_for(value_bytes);
  return policy{
      .block_size_x = threads,
      .level = {.first = {.block_scan_grain_size = scan_grain_for(threads, value_bytes)}}};
}();

/// So many that two packets a thread leave enough threads for functions that take long.
inline constexpr index_t many_elements = index_t{1} << 20;
inline constexpr policy untuned_map_policy{.level = {.first = {.grain_size = 2}}};

/// Elements of all rows of `destination`, as far as its type tells; 0: it does not.
template <typename D>
[[nodiscard]] index_t elements_of_rows(const D& destination) {
  if constexpr (nested<D>) {
    if constexpr (requires { atoms_bound(destination); }) {
      return atoms_bound(destination);
    } else {
      return 0;
    }
  } else {
    return destination.size();
  }
}

/// How many neighbours in a row are read and written at once.
template <typename E, typename D>
inline constexpr int row_packet_v = [] {
  using row = std::remove_cvref_t<element_of_t<E>>;
  using row_destination_type = std::remove_cvref_t<decltype(row_destination(
      std::declval<const E&>(), std::declval<const D&>(), index_t{}, index_t{}))>;
  return common_packet_v<row, row_destination_type>;
}();

/// Nested computations in a thread: several loads at a time.
inline constexpr policy untuned_rows_policy{
    .level = {.second = {.unroll = 4}, .third = {.unroll = 4}}};
template <int Lanes>
using untuned_lanes_policy = constant<policy{
    .logical_warp_size = Lanes, .level = {.second = {.unroll = 4}, .third = {.unroll = 4}}}>;

/// `Lanes` lanes a row, or more where elements are values and rows turn out to be long.
template <int Lanes, typename E, typename D>
void lanes_a_row_untuned(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination) {
  if constexpr (yields_values_v<element_of_t<E>>) {
    run_mixed_rows<untuned_lanes_policy<Lanes>, Lanes>(on, named, e, destination);
  } else {
    run_rows<untuned_lanes_policy<Lanes>, warp_resource<Lanes>>(on, named, e, destination);
  }
}

/// map > map: as many lanes a row as suit its elements, or a block or several where rows are long,
/// or so few that their warps would not keep the GPU busy.
template <typename E, typename D>
void map_rows_untuned(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination) {
  constexpr index_t elements_of_block = 2048;
  constexpr index_t least_of_block = 256;
  const index_t rows = e.size();
  if (rows == 0) return;
  const index_t mean = elements_of_rows(destination) / rows;
  // A few elements a lane, or lanes cost more than they do: two packets where there are such; a
  // lane for each that is a reduction, so that lanes read what lies side by side.
  constexpr index_t a_lane = is_reduced_v<element_of_t<element_of_t<E>>> ? 1
                             : row_packet_v<E, D> > 2                    ? 2 * row_packet_v<E, D>
                                                                         : 4;
  if (mean > 0 && mean <= 2) {
    // Rows are so many that each makes work for itself: neighbours write side by side all the same.
    run_independent<constant<untuned_rows_policy>>(on, named, e, destination);
  } else if (mean > 0 && mean <= 2 * a_lane) {
    lanes_a_row_untuned<2>(on, named, e, destination);
  } else if (mean > 0 && mean <= 4 * a_lane) {
    lanes_a_row_untuned<4>(on, named, e, destination);
  } else if (mean > 0 && mean <= 8 * a_lane) {
    lanes_a_row_untuned<8>(on, named, e, destination);
  } else if (mean < least_of_block ||
             (mean < elements_of_block &&
              32 * rows >= index_t{1024} * current_device_facts(named).multiprocessors)) {
    lanes_a_row_untuned<32>(on, named, e, destination);
  } else {
    run_row_chunks<constant<untuned_rows_policy>>(on, named, e, destination,
                                                  ceiling_quotient(mean, elements_of_block));
  }
}

/// `e` into `destination` by the schedule and policy that suit its type.
template <typename E, typename D>
void realise_untuned(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  using schedule::cooperative;
  using schedule::independent;
  if constexpr (scalar_reduce_node<E>) {
    run_device_reduce<constant<untuned_reduce_policy>, constant<untuned_one_block_policy<E>>>(
        on, named, e, destination);
  } else if constexpr (scan_node<E>) {
    realise(on, named, e, destination, cooperative<>{}, constant<untuned_scan_policy<E>>{});
  } else if constexpr (!elements_node<E>) {
    realise(on, named, e, destination, cooperative<>{}, constant<policy{}>{});
  } else if constexpr (common_packet_v<E, D> > 1) {
    if (e.size() >= many_elements) {
      realise(on, named, e, destination, independent<>{}, constant<untuned_map_policy>{});
    } else {
      realise(on, named, e, destination, independent<>{}, constant<policy{}>{});
    }
  } else if constexpr (sequence_like<element_of_t<E>>) {
    if constexpr (yields_values_v<element_of_t<E>> || is_reduced_v<element_of_t<element_of_t<E>>>) {
      map_rows_untuned(on, named, e, destination);
    } else {
      realise(on, named, e, destination, independent<independent<>>{}, constant<policy{}>{});
    }
  } else {
    realise(on, named, e, destination, independent<>{}, constant<policy{}>{});
  }
}

}  // namespace fettle::ndp::cuda::detail
