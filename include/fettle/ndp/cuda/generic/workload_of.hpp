// workload_of: what the limits on policies (constraints.hpp) ask of a computation, from its type.
// Needs no CUDA.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/combined_bytes.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Flattened rows that get a thread each (dispatch.cuh) need no memory of the block's.
template <typename E, typename Schedule>
[[nodiscard]] consteval workload workload_of() {
  constexpr bool has_shares = flat_rows_of_combinables<E>;
  constexpr bool is_flattened = schedule::kind_v<Schedule> == schedule::kind::flattened;
  return {.value_bytes = is_flattened && !has_shares ? 0 : combined_bytes_v<E>,
          .is_scan = map_of_scans<E>,
          .is_commutative = combines_in_any_order_v<E>};
}

}  // namespace fettle::ndp::cuda::detail
