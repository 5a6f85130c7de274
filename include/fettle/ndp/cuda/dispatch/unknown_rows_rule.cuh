// unknown_rows_rule: how an untuned map > reduce runs whose rows the host knows nothing of but how
// many there are.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/generic/whole_of_windows.hpp>
#include <fettle/ndp/cuda/rows/columns.cuh>
#include <fettle/ndp/cuda/rows/row_distance.cuh>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/rows/row_rule.hpp>
#include <fettle/ndp/cuda/rows/rows_in_step.cuh>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda/rows/unknown_rows.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of fewer columns, neighbouring threads would read far apart; more are enough for a thread each.
inline constexpr index_t least_columns = 8;
[[nodiscard]] inline index_t most_columns(const computation& named) {
  return index_t{512} * current_device_facts(named).multiprocessors;
}

/// A map over contiguous rows, as a rule those that its function's elements carry and read.
template <typename E>
concept carries_its_rows = has_flat_rows<E> && indexes_views_v<decltype(E::value_type::source)>;

/// map > reduce over rows of which nothing is known but how many there are: as many threads a row
/// as leave enough of them for all rows.
template <map_of_reductions E, typename D>
void reduce_unknown_rows_by_default(const platform::cuda& on, const computation& named, const E& e,
                                    const D& destination) {
  using row = typename E::value_type;
  const index_t rows = e.size();
  if constexpr (is_combinable_v<row>) {
    if (rows == 0) return;
    if constexpr (reduces_columns<E>) {
      if (rows >= least_columns && rows <= most_columns(named)) {
        return reduce_columns(on, named, e, destination);
      }
    }
    if (is_commutative_v<decltype(row::op)> && rows <= row_rule{}.cut_if_unknown) {
      return split_rows(on, named, e, destination, plain_policy{});
    }
    if (rows <= row_rule{}.blocks_at_once) {
      return run_rows<plain_policy, block_resource<256, 1>>(on, named, e, destination);
    }
    constexpr bool in_order = read_in_order<decltype(row::source)>;
    if (rows <= (in_order ? row_rule{}.warps_if_unknown : row_rule{}.warps_if_unordered)) {
      return run_rows<plain_policy, warp_resource<32>>(on, named, e, destination);
    }
    if (rows <= row_rule{}.threads_if_unknown * current_device_facts(named).multiprocessors) {
      return run_eight_lanes<plain_policy>(on, named, e, destination);
    }
    if constexpr (!is_map_of_windows_v<E>) {
      using policy = policy_of_threads<thread_a_row_v<row>, staged_loads_of_row_v<row>>;
      if constexpr (suits_steps_v<row>) {
        const int each = rows_of_thread(rows, current_device_facts(named).multiprocessors);
        if (each == 4) return run_rows_in_step<policy, 4>(on, named, e, destination);
        if (each == 2) return run_rows_in_step<policy, 2>(on, named, e, destination);
      }
      if constexpr (carries_its_rows<E>) {
        if (atoms_bound(outer_shape(e)) >= least_of_shared_row * rows) {
          return run_unknown_rows<policy, true>(on, named, e, destination);
        }
      }
      return run_unknown_rows<policy, in_order>(on, named, e, destination);
    }
  }
  run_independent<policy_of_threads<thread_a_row_v<row>, staged_loads_v<decltype(row::source)>>>(
      on, named, e, destination);
}

}  // namespace fettle::ndp::cuda::detail
