// default_rule: how an untuned computation over rows runs on CUDA.
//
// row_rule.hpp makes the choice for map > reduce, row_scan_kernel.hpp that for map > scan, from
// what the host knows at no cost: how many rows there are, how many atoms at most, and what the
// program says of the rows' lengths. Here are the kernels. Other computations are untuned.cuh's.
#pragma once

#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/block/fold_rounds.hpp>
#include <fettle/ndp/cuda/block/staged_loads.hpp>
#include <fettle/ndp/cuda/dispatch/dispatch.cuh>
#include <fettle/ndp/cuda/dispatch/dispatch_by_key.cuh>
#include <fettle/ndp/cuda/dispatch/unknown_rows_rule.cuh>
#include <fettle/ndp/cuda/dispatch/untuned.cuh>
#include <fettle/ndp/cuda/flattened/flattened_reduce.cuh>
#include <fettle/ndp/cuda/flattened/flattened_scan.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/generic/workload_of.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/rows/adaptive_row_scans.cuh>
#include <fettle/ndp/cuda/rows/adaptive_rows.cuh>
#include <fettle/ndp/cuda/rows/lanes_a_row.cuh>
#include <fettle/ndp/cuda/rows/program_rows.hpp>
#include <fettle/ndp/cuda/rows/program_rule.cuh>
#include <fettle/ndp/cuda/rows/row_kernel.hpp>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/rows/row_rule.hpp>
#include <fettle/ndp/cuda/rows/row_scan_kernel.hpp>
#include <fettle/ndp/cuda/rows/row_work_of.hpp>
#include <fettle/ndp/cuda/rows/rows_by_rounds.cuh>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Threads of a block for flattened tiles: 256, or fewer where values are so wide that the shared
/// memory has no room for theirs; 0 where it has none for those of a warp.
template <typename E>
inline constexpr int tile_threads_v = [] {
  constexpr workload work = workload_of<E, schedule::flattened<>>();
  int threads = 256;
  while (threads >= 32 &&
         !violation(policy{.block_size_x = threads}, schedule::flattened<>{}, work).empty()) {
    threads /= 2;
  }
  return threads >= 32 ? threads : 0;
}();

// Only one of the two ways in which tiles are combined is compiled for each size.
template <bool CombineHere, typename E, typename D>
void flattened_by_default(const platform::cuda& on, const computation& named, const E& e,
                          const D& destination) {
  using value_type = typename E::value_type::value_type;
  // More steps a thread are fewer instructions a step, while enough threads find room.
  constexpr bool more_steps = !CombineHere && sizeof(value_type) <= 4;
  constexpr int threads = more_steps ? 128 : tile_threads_v<E>;
  if constexpr (threads == 0) {
    run_rows<policy_of_threads<warp_a_row_v<typename E::value_type>>, warp_resource<32>>(
        on, named, e, destination);
  } else {
    constexpr int steps = steps_per_thread(threads, more_steps ? 2 : 1, sizeof(value_type));
    const index_t tiles =
        ceiling_quotient(e.size() + atoms_bound(outer_shape(e)), index_t{threads} * steps);
    launch_flattened_reduce<threads, steps, CombineHere, block_reduce_algorithm::warp_reductions>(
        on, named, e, destination, tiles);
  }
}

/// What the default rule knows of a map over contiguous rows.
template <typename E>
[[nodiscard]] row_problem row_problem_of(const E& e) {
  using row = typename E::value_type;
  const row_statistics known = statistics_of_rows(outer_shape(e));
  const index_t atoms = known.elements >= 0 ? known.elements : atoms_bound(outer_shape(e));
  return {.rows = e.size(),
          .atoms = atoms,
          .known = known,
          .commutative = is_commutative_v<decltype(row::op)>,
          .value_bytes = static_cast<int>(sizeof(typename row::value_type)),
          .work = row_work_of<row>(e.size(), atoms),
          .costly = has_costly_elements_v<decltype(row::source)>};
}

/// A map > reduce over contiguous rows whose elements it reads: else where rows lie says nothing of
/// how much is reduced, as of the candidates for a point of few coordinates.
template <typename E>
concept reduces_its_rows = map_of_reductions<E> && flat_rows_of_combinables<E> &&
                           bytes_read_v<decltype(E::value_type::source)>.in_order > 0;

/// choose_row_kernel(), which takes as long as a tenth of a launch; a thread keeps its last answer.
[[nodiscard]] inline row_kernel chosen_before(const row_problem& p, const computation& named) {
  struct answer {
    row_problem asked{.rows = -1};
    device_rates of{};
    row_kernel chosen{};
  };
  thread_local answer last;
  const device_rates& device = current_device_facts(named).rates;
  if (!(last.asked == p && last.of == device)) {
    last = {p, device, choose_row_kernel(p, {}, device)};
  }
  return last.chosen;
}

/// So many lanes a row, of rows that are all about as long.
template <typename E, typename D>
void known_rows_by_lanes(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination, int lanes) {
  using row = typename E::value_type;
  using partial = partial_value<decltype(row::op), typename row::value_type>;
  run_lanes_a_row(on, named, e, destination, lanes, std::numeric_limits<index_t>::max(),
                  long_row_list<partial>{});
}

/// map > reduce.
template <typename E, typename D>
  requires reduces_its_rows<E>
void reduce_rows_by_default(const platform::cuda& on, const computation& named, const E& e,
                            const D& destination) {
  using row = typename E::value_type;
  if (e.size() == 0) return;
  switch (chosen_before(row_problem_of(e), named)) {
    case row_kernel::thread:
      return known_rows_by_lanes(on, named, e, destination, 1);
    case row_kernel::warp_of_2:
      return known_rows_by_lanes(on, named, e, destination, 2);
    case row_kernel::warp_of_4:
      return known_rows_by_lanes(on, named, e, destination, 4);
    case row_kernel::warp_of_8:
      return known_rows_by_lanes(on, named, e, destination, 8);
    case row_kernel::warp_of_16:
      return known_rows_by_lanes(on, named, e, destination, 16);
    case row_kernel::warp_of_32:
      return known_rows_by_lanes(on, named, e, destination, 32);
    case row_kernel::block:
      if constexpr (gains_by_rounds_v<decltype(row::op), typename row::value_type>) {
        if (atoms_bound(outer_shape(e)) >= least_mean_of_rounds * e.size()) {
          return run_rows_by_rounds(on, named, e, destination);
        }
      }
      return run_rows<block_policy, block_resource<128, 1>>(on, named, e, destination);
    case row_kernel::split:
      return split_rows(on, named, e, destination, plain_policy{});
    case row_kernel::adaptive:
      return adaptive_rows(on, named, e, destination, statistics_of_rows(outer_shape(e)).longest);
    case row_kernel::flattened_small:
      return flattened_by_default<true>(on, named, e, destination);
    case row_kernel::flattened_large:
      return flattened_by_default<false>(on, named, e, destination);
  }
}

/// map > scan.
template <map_of_scans E, typename D>
  requires flat_rows_of_combinables<E>
void scan_rows_by_default(const platform::cuda& on, const computation& named, const E& e,
                          const D& destination) {
  using value_type = typename E::value_type::value_type;
  if (e.size() == 0) return;
  switch (choose_row_scan_kernel(row_problem_of(e))) {
    case row_scan_kernel::lane:
      return adaptive_row_scans<1>(on, named, e, destination);
    case row_scan_kernel::lanes_8:
      return adaptive_row_scans<8>(on, named, e, destination);
    case row_scan_kernel::lanes_32:
      return adaptive_row_scans<32>(on, named, e, destination);
    case row_scan_kernel::block:
      return run_rows<scan_policy<value_type>, block_resource<row_scan_threads, 1>>(on, named, e,
                                                                                    destination);
    case row_scan_kernel::flattened:
      if constexpr (tile_threads_v<E> == 0) {
        run_rows<plain_policy, warp_resource<32>>(on, named, e, destination);
      } else {
        flattened_scan(on, named, e, destination,
                       constant<policy{.block_size_x = tile_threads_v<E>}>{});
      }
      return;
  }
}

/// reduce_by_key: coordinates of vectors a warp at a time, and eight chunks of points a block.
template <by_key_node E, typename D>
void reduce_by_key_by_default(const platform::cuda& on, const computation& named, const E& e,
                              const D& destination) {
  constexpr policy chosen{.block_size_x = 32, .block_size_y = 8};
  realise(on, named, e, destination, schedule::cooperative<>{}, constant<chosen>{});
}

/// Any computation into its destination.
template <typename E, typename D>
void default_run(const platform::cuda& on, const computation& named, const E& e,
                 const D& destination) {
  if constexpr (program_node<E>) {
    run_programs_by_default(on, named, e, destination);
  } else if constexpr (reduces_its_rows<E>) {
    reduce_rows_by_default(on, named, e, destination);
  } else if constexpr (map_of_reductions<E>) {
    reduce_unknown_rows_by_default(on, named, e, destination);
  } else if constexpr (map_of_scans<E> && flat_rows_of_combinables<E>) {
    scan_rows_by_default(on, named, e, destination);
  } else if constexpr (by_key_node<E>) {
    reduce_by_key_by_default(on, named, e, destination);
  } else if constexpr (selection_node<E>) {
    run_device_selection(on, named, e, destination);
  } else if constexpr (by_index_node<E>) {
    run_device_reduce_by_index(on, named, e, destination);
  } else if constexpr (sort_node<E>) {
    run_device_sort(on, named, e, destination);
  } else {
    realise_untuned(on, named, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
