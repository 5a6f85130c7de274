// untuned: schedules and policies for computations whose best implementation depends on little but
// their type; rows of any lengths are the default rule's business.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/dispatch/dispatch.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/policy/scan_block.hpp>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Few blocks of many threads: less to combine.
template <typename E>
inline constexpr policy untuned_reduce_policy{.block_size_x =
                                                  sizeof(typename E::value_type) > 16 ? 256 : 512};

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

/// `e` into `destination` by the schedule and policy that suit its type.
template <typename E, typename D>
void realise_untuned(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  using schedule::cooperative;
  using schedule::independent;
  if constexpr (scalar_reduce_node<E>) {
    realise(on, named, e, destination, cooperative<>{}, constant<untuned_reduce_policy<E>>{});
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
    realise(on, named, e, destination, independent<independent<>>{}, constant<policy{}>{});
  } else {
    realise(on, named, e, destination, independent<>{}, constant<policy{}>{});
  }
}

}  // namespace fettle::ndp::cuda::detail
