// default_rule: how an untuned computation over rows runs on CUDA.
//
// row_kernel.hpp makes the choice for map > reduce from what the host knows at no cost: how many
// rows there are, how many atoms at most, and what the program says of the rows' lengths. Here are
// the kernels. Other computations are untuned.cuh's.
#pragma once

#include <fettle/ndp/backend.hpp>
#include <fettle/ndp/cuda/adaptive_rows.cuh>
#include <fettle/ndp/cuda/dispatch.cuh>
#include <fettle/ndp/cuda/dispatch_by_key.cuh>
#include <fettle/ndp/cuda/flat_row.hpp>
#include <fettle/ndp/cuda/flattened_reduce.cuh>
#include <fettle/ndp/cuda/flattened_scan.cuh>
#include <fettle/ndp/cuda/independent.cuh>
#include <fettle/ndp/cuda/platform.cuh>
#include <fettle/ndp/cuda/policy.hpp>
#include <fettle/ndp/cuda/row_kernel.hpp>
#include <fettle/ndp/cuda/rows.cuh>
#include <fettle/ndp/cuda/split_rows.cuh>
#include <fettle/ndp/cuda/untuned.cuh>
#include <fettle/ndp/destination.hpp>
#include <fettle/ndp/function.hpp>
#include <fettle/ndp/policy.hpp>
#include <fettle/ndp/schedule.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

namespace fettle::ndp::cuda {

namespace detail {

using plain_policy = constant<policy{}>;
using block_policy = constant<policy{.block_size_x = 128}>;

// Only one of the two ways in which shares are combined is compiled for each size.
template <bool CombineHere, typename E, typename D>
void flattened_by_default(const platform::cuda& on, const computation& which, const E& e,
                          const D& destination) {
  using value_type = typename E::value_type::value_type;
  // More steps a thread are fewer instructions a step, while enough threads find room.
  constexpr bool more_steps = !CombineHere && sizeof(value_type) <= 4;
  constexpr int threads = more_steps ? 128 : 256;
  constexpr int steps = steps_per_thread(threads, more_steps ? 2 : 1, sizeof(value_type));
  const index_t shares =
      ceiling_quotient(e.size() + atoms_bound(outer_shape(e)), index_t{threads} * steps);
  launch_flattened_reduce<threads, steps, CombineHere, block_reduce_algorithm::warp_reductions>(
      on, which, e, destination, shares);
}

}  // namespace detail

/// What the default rule knows of a map over rows that lie one behind the other.
template <typename E>
[[nodiscard]] row_problem row_problem_of(const E& e) {
  using row = typename E::value_type;
  return {.rows = e.size(),
          .atoms = atoms_bound(outer_shape(e)),
          .known = statistics_of_rows(outer_shape(e)),
          .commutative = is_commutative_v<decltype(row::op)>,
          .value_bytes = static_cast<int>(sizeof(typename row::value_type))};
}

/// map > reduce.
template <map_of_reductions E, typename D>
  requires flat_rows_of_combinables<E>
void reduce_rows_by_default(const platform::cuda& on, const computation& which, const E& e,
                            const D& destination) {
  if (e.size() == 0) return;
  switch (choose_row_kernel(row_problem_of(e))) {
    case row_kernel::thread:
      return run_independent<detail::plain_policy>(on, which, e, destination);
    case row_kernel::warp_of_2:
      return run_rows<detail::plain_policy, warp_resource<2>>(on, which, e, destination);
    case row_kernel::warp_of_4:
      return run_rows<detail::plain_policy, warp_resource<4>>(on, which, e, destination);
    case row_kernel::warp_of_16:
      return run_rows<detail::plain_policy, warp_resource<16>>(on, which, e, destination);
    case row_kernel::warp_of_32:
      return run_rows<detail::plain_policy, warp_resource<32>>(on, which, e, destination);
    case row_kernel::block:
      return run_rows<detail::block_policy, block_resource<128, 1>>(on, which, e, destination);
    case row_kernel::split:
      return split_rows(on, which, e, destination, detail::plain_policy{});
    case row_kernel::adaptive:
      return adaptive_rows(on, which, e, destination, statistics_of_rows(outer_shape(e)).longest);
    case row_kernel::flattened_small:
      return detail::flattened_by_default<true>(on, which, e, destination);
    case row_kernel::flattened_large:
      return detail::flattened_by_default<false>(on, which, e, destination);
  }
}

/// map > reduce over rows of which nothing is known but how many there are: as many threads a row
/// as leave enough of them for all rows.
template <map_of_reductions E, typename D>
void reduce_unknown_rows_by_default(const platform::cuda& on, const computation& which, const E& e,
                                    const D& destination) {
  using row = typename E::value_type;
  const index_t rows = e.size();
  if constexpr (is_combinable_v<row>) {
    if (rows == 0) return;
    if (is_commutative_v<decltype(row::op)> && rows <= row_rule{}.handful) {
      return split_rows(on, which, e, destination, detail::plain_policy{});
    }
    if (rows <= row_rule{}.blocks_at_once) {
      return run_rows<detail::plain_policy, block_resource<256, 1>>(on, which, e, destination);
    }
    if (rows <= index_t{2} * row_rule{}.warps_at_once) {
      return run_rows<detail::plain_policy, warp_resource<32>>(on, which, e, destination);
    }
  }
  run_independent<detail::plain_policy>(on, which, e, destination);
}

/// map > scan: a row a warp where there is little work, else flattened.
template <map_of_scans E, typename D>
  requires flat_rows_of_combinables<E>
void scan_rows_by_default(const platform::cuda& on, const computation& which, const E& e,
                          const D& destination) {
  if (e.size() == 0) return;
  if (atoms_bound(outer_shape(e)) <= row_rule{}.scans_by_warps) {
    run_rows<detail::plain_policy, warp_resource<32>>(on, which, e, destination);
  } else {
    flattened_scan(on, which, e, destination, detail::plain_policy{});
  }
}

/// reduce_by_key: coordinates of vectors a warp at a time, and eight chunks of points a block.
template <by_key_node E, typename D>
void reduce_by_key_by_default(const platform::cuda& on, const computation& which, const E& e,
                              const D& destination) {
  constexpr policy chosen{.block_size_x = 32, .block_size_y = 8};
  realise(on, which, e, destination, schedule::cooperative<>{}, constant<chosen>{});
}

/// Any computation into its destination.
template <typename E, typename D>
void default_run(const platform::cuda& on, const computation& which, const E& e,
                 const D& destination) {
  if constexpr (map_of_reductions<E> && flat_rows_of_combinables<E>) {
    reduce_rows_by_default(on, which, e, destination);
  } else if constexpr (map_of_reductions<E>) {
    reduce_unknown_rows_by_default(on, which, e, destination);
  } else if constexpr (map_of_scans<E> && flat_rows_of_combinables<E>) {
    scan_rows_by_default(on, which, e, destination);
  } else if constexpr (by_key_node<E>) {
    reduce_by_key_by_default(on, which, e, destination);
  } else {
    realise_untuned(on, which, e, destination);
  }
}

}  // namespace fettle::ndp::cuda
