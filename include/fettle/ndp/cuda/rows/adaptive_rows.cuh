// adaptive_rows: map > reduce over rows of which nothing is known, mapped by rows all the same.
//
// Every block takes as many rows as suit their mean length, a few lanes each; those of them that
// are longer than that get more lanes, or the whole block. Very long rows are cut in pieces, for
// the last blocks of the grid (row_queue.cuh). Of large inputs, the first kernel has no more than
// what rows of about the mean length need (lanes_a_row.cuh), and a second one, which is on its way
// while the first one runs, has the longer rows (long_rows.cuh). No temporary memory but for large
// inputs, no atomics for results, and the same result in every run.
//
// What independent>cooperative does where the block is the resource of level 1; threads and lanes
// are its own, and the policy's other parameters have no effect on it.
//
// (After CSR-Adaptive: Greathouse and Daga, SC 2014; there the host bins rows beforehand.)
#pragma once

#include <cuda_runtime.h>
#include <limits>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_kernels.cuh>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/lanes_a_row.cuh>
#include <fettle/ndp/cuda/rows/long_rows.cuh>
#include <fettle/ndp/cuda/rows/row_cost.hpp>
#include <fettle/ndp/cuda/rows/row_queue.cuh>
#include <fettle/ndp/cuda/rows/row_work_of.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// adaptive_rows_plan::of(); a thread keeps its last answer.
[[nodiscard]] inline adaptive_rows_plan plan_before(const row_work& work,
                                                    const device_rates& device) {
  struct answer {
    row_work asked{.rows = -1};
    device_rates of{};
    adaptive_rows_plan plan{};
  };
  thread_local answer last;
  if (!(last.asked == work && last.of == device)) {
    last = {work, device, adaptive_rows_plan::of(work, device)};
  }
  return last.plan;
}

/// Much work: one kernel for rows of about the mean length, one for the longer ones.
template <typename Partial, typename E, typename D>
void rows_in_two_kernels(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination, adaptive_rows_plan plan, index_t longest) {
  if (plan.lanes > 32) plan.lanes = 32;
  const index_t done = plan.longest_of_lanes();
  if (longest >= 0 && longest <= done) {
    return run_lanes_a_row(on, named, e, destination, plan.lanes, done, long_row_list<Partial>{});
  }
  const index_t rows = e.size();
  const index_t atoms = atoms_bound(outer_shape(e));
  const arrival_counter counter(on, named);
  const long_row_memory<Partial> memory(
      on, named, adaptive_rows_plan::cut_rows_at_most(rows, atoms),
      adaptive_rows_plan::pieces_at_most(rows, atoms), plan.listed_rows(rows, atoms));
  const auto list = memory.list(counter);
  run_lanes_a_row(on, named, e, destination, plan.lanes, done, list);
  launch_long_rows(on, named, e, destination, list);
}

/// Realises a map > reduce over contiguous rows into destination[i], for any associative operator.
/// `longest` is that of the rows, negative where it is not known; where no row can be very long,
/// the second kernel is not launched.
template <has_flat_rows E, random_access D>
void adaptive_rows(const platform::cuda& on, const computation& named, const E& e,
                   const D& destination, index_t longest = -1) {
  using reduction = typename E::value_type;
  using partial = partial_value<decltype(reduction::op), typename reduction::value_type>;
  static_assert(is_combinable_v<reduction>,
                "execute: reduce at level 2 cannot be cooperative: its elements have to be values "
                "of the type that its operator yields; use schedule independent>sequential");
  constexpr index_t room_enough = 1 << 19;  // atoms: all their pieces go into the stream's room
  const index_t rows = e.size();
  if (rows == 0) return;
  const index_t atoms = atoms_bound(outer_shape(e));
  const device_facts& device = current_device_facts(named);
  // The source of a part of the rows has the atoms of the others, too.
  const index_t known = statistics_of_rows(outer_shape(e)).elements;
  const auto plan =
      plan_before(row_work_of<reduction>(rows, known >= 0 ? known : atoms), device.rates);
  if (rows + atoms > adaptive_rows_plan::one_kernel &&
      rows <= std::numeric_limits<unsigned>::max()) {
    return rows_in_two_kernels<partial>(on, named, e, destination, plan, longest);
  }
  const auto blocks =
      dim3(static_cast<unsigned>(ceiling_quotient(rows, index_t{plan.rows_at_once()})));
  const dim3 threads(adaptive_rows_plan::threads);
  const bool may_cut = atoms > adaptive_rows_plan::least_work &&
                       (longest < 0 || longest > adaptive_rows_plan::very_long);

  std::optional<arrival_counter> counter;
  if (may_cut) counter.emplace(on, named);
  if (may_cut && plan.lanes <= 32) {
    constexpr int blocks_a_multiprocessor = 64;
    const index_t pieces = adaptive_rows_plan::pieces_at_most(rows, atoms);
    const bool few_blocks =
        static_cast<index_t>(blocks.x) <= index_t{blocks_a_multiprocessor} * device.multiprocessors;
    if (few_blocks && counter->has_queue() &&
        adaptive_rows_plan::cut_rows_at_most(rows, atoms) <= queue_rows &&
        counter->has_room<partial>(static_cast<int>(pieces))) {
      cut_rows<partial> own;
      own.for_this_kernel = {counter->get(), static_cast<unsigned>(pieces),
                             static_cast<unsigned>(2 * device.multiprocessors)};
      launch(named, on.stream, blocks, threads, 0, few_lanes_kernel<E, D, partial>, e, destination,
             rows, have_same_rows(e), plan, own);
      return;
    }
  }

  long_row_list<partial> list;
  std::optional<long_row_memory<partial>> memory;
  if (may_cut) {
    constexpr auto room_rows =
        static_cast<int>(adaptive_rows_plan::cut_rows_at_most(room_enough, room_enough));
    constexpr auto room_sums =
        static_cast<int>(adaptive_rows_plan::pieces_at_most(room_enough, room_enough));
    if (atoms <= room_enough && counter->has_room<cut_row, partial>(room_rows, room_sums)) {
      list.cut.counter = counter->get();
      list.cut.row_capacity = room_rows;
      list.cut.piece_capacity = room_sums;
    } else {
      memory.emplace(on, named, adaptive_rows_plan::cut_rows_at_most(rows, atoms),
                     adaptive_rows_plan::pieces_at_most(rows, atoms), 0);
      list = memory->list(*counter);
    }
  }
  if (plan.lanes <= 32) {
    launch(named, on.stream, blocks, threads, 0, few_lanes_kernel<E, D, partial>, e, destination,
           rows, have_same_rows(e), plan, cut_rows<partial>{list.cut, {}});
  } else {
    launch(named, on.stream, blocks, threads, 0, block_a_row_kernel<E, D, partial>, e, destination,
           rows, have_same_rows(e), list.cut);
  }
  if (may_cut) launch_long_rows(on, named, e, destination, list);
}

}  // namespace fettle::ndp::cuda::detail
