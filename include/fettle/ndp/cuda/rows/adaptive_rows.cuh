// adaptive_rows: map > reduce over rows of which nothing is known, mapped by rows all the same.
//
// Every block takes as many rows as suit their mean length, a few lanes each; those of them that
// are longer than that get more lanes, or the whole block. Very long rows are cut in pieces, for
// the last blocks of the grid (row_queue.cuh); of large inputs, for a second kernel
// (row_pieces.cuh), which is on its way while the first one runs. No temporary memory but for large
// inputs, no atomics for results, and the same result in every run.
//
// What independent>cooperative does where the block is the resource of level 1; threads and lanes
// are its own, and the policy's other parameters have no effect on it.
//
// (After CSR-Adaptive: Greathouse and Daga, SC 2014; there the host bins rows beforehand.)
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/lane_group.cuh>
#include <fettle/ndp/cuda/rows/row_cost.hpp>
#include <fettle/ndp/cuda/rows/row_pieces.cuh>
#include <fettle/ndp/cuda/rows/row_queue.cuh>
#include <fettle/ndp/cuda/rows/row_work_of.hpp>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Some of a block's rows that are too long for the lanes they got.
struct left_rows {
  int count;
  unsigned short row[adaptive_rows_plan::threads];

  __device__ void add(int i) { row[atomicAdd(&count, 1)] = static_cast<unsigned short>(i); }
};

/// What all functions here need to know of the computation.
template <typename E, typename D>
struct row_reductions {
  const E& e;
  const D& destination;
  index_t rows;
  bool same_rows;

  [[nodiscard]] __device__ row_extent extent_of(index_t i) const {
    const auto& shape = outer_shape(e);
    return {i, shape.row_begin(i), shape.row_begin(i + 1)};
  }
  [[nodiscard]] __device__ auto at(index_t i) const {
    return row_of_block(e, extent_of(i), same_rows);
  }
  template <typename R, typename Partial>
  __device__ void finish(const R& r, index_t i, index_t size, const Partial& sum) const {
    if (size > 0) {
      store_sum(r, i, destination, sum);
    } else {
      store(destination[i], static_cast<typename R::value_type>(r.seed));
    }
  }
  /// By the lanes of `group`.
  template <typename R>
  __device__ void reduce(const R& r, index_t i, index_t size, const lane_group& group) const {
    const auto sum = reduce_by_lanes(r, size, group);
    if (group.rank == 0) finish(r, i, size, sum);
  }
  /// By all threads of the block; with fewer loads in flight, in fewer registers.
  template <typename R>
  __device__ void reduce_left(const R& r, index_t i, index_t size) const {
    constexpr int threads = adaptive_rows_plan::threads;
    const int thread = static_cast<int>(threadIdx.x);
    const auto sum = reduce_chunk<threads>(r, row_chunk::of(size, 0, 1), thread);
    if (thread == threads - 1) finish(r, i, size, sum);
    __syncthreads();
  }
  template <typename R>
  __device__ void reduce_by_block(const R& r, index_t i, index_t size) const {
    using block = block_resource<adaptive_rows_plan::threads, 1>;
    const auto sum =
        fold<block, true, decltype(r.op), typename R::value_type>(r.op, r.source, index_t{0}, size);
    if (threadIdx.x == 0) finish(r, i, size, sum);
  }
};

/// Where a kernel enters rows that are cut: for its own last blocks, or for the kernel after it.
template <typename Partial>
struct cut_rows {
  cut_row_list<Partial> for_next_kernel;
  row_queue<Partial> for_this_kernel;

  [[nodiscard]] __device__ bool has_helpers() const { return for_this_kernel.helpers > 0; }
  [[nodiscard]] __device__ bool add(const row_extent& extent, index_t size) const {
    return has_helpers() ? for_this_kernel.add(extent, size) : for_next_kernel.add(extent, size);
  }
};

/// Pieces of the queue's rows. Not inlined, for the same reason as reduce_left_rows.
template <typename E, typename D, typename Partial>
__noinline__ __device__ void help_with_cut_rows(const E& e, const D& destination, bool same_rows,
                                                const row_queue<Partial>& queue) {
  queue.template help<adaptive_rows_plan::threads>(e, destination, same_rows);
}

/// Rows of [first_row, first_row + rows_at_once) that are too long for a few lanes: 8 lanes, warps,
/// or the block do them. By all threads; a thread whose `mine` is not negative brings that row, of
/// `size` atoms. Not inlined: few blocks have such rows, and the others shall not want for
/// registers.
template <typename E, typename D>
__noinline__ __device__ void reduce_left_rows(const E& e, const D& destination, index_t rows,
                                              bool same_rows, index_t first_row, int mine,
                                              index_t size) {
  const row_reductions<E, D> all{e, destination, rows, same_rows};
  using plan = adaptive_rows_plan;
  __shared__ left_rows middle;
  __shared__ left_rows of_warp;
  __shared__ left_rows of_block;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    middle.count = 0;
    of_warp.count = 0;
    of_block.count = 0;
  }
  __syncthreads();
  if (mine >= 0) {
    if (size <= plan::middle) {
      middle.add(mine);
    } else if (size <= plan::of_warp) {
      of_warp.add(mine);
    } else {
      of_block.add(mine);
    }
  }
  __syncthreads();
  const lane_group warp = lane_group::of(thread, 32);
  for (int k = thread / 32; k < of_warp.count; k += plan::threads / 32) {
    const index_t i = first_row + of_warp.row[k];
    const auto r = all.at(i);
    all.reduce(r, i, r.source.size(), warp);
  }
  // From the other end, so that warps that had no long row begin.
  const lane_group eight = lane_group::of(thread, plan::lanes_of_middle);
  const int from_end = (plan::threads - 1 - thread) / plan::lanes_of_middle;
  for (int k = from_end; k < middle.count; k += plan::threads / plan::lanes_of_middle) {
    const index_t i = first_row + middle.row[k];
    const auto r = all.at(i);
    all.reduce(r, i, r.source.size(), eight);
  }
  for (int k = 0; k < of_block.count; ++k) {
    const index_t i = first_row + of_block.row[k];
    const auto r = all.at(i);
    all.reduce_left(r, i, r.source.size());
  }
}

template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(adaptive_rows_plan::threads, 8) void few_lanes_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows, const adaptive_rows_plan plan, const __grid_constant__ cut_rows<Partial> list) {
  allow_next_kernel();
  const row_reductions<E, D> all{e, destination, rows, same_rows};
  const int thread = static_cast<int>(threadIdx.x);
  const lane_group lanes = lane_group::of(thread, plan.lanes);
  const index_t first_row = index_t{blockIdx.x} * plan.rows_at_once();
  const int own = thread / plan.lanes;
  const index_t i = first_row + own;
  const index_t size = i < rows ? index_t{all.at(i).source.size()} : index_t{-1};
  // What is cut is known before any row is reduced, so that others can begin with it.
  index_t too_long = lanes.rank == 0 && size > plan.longest ? size : index_t{-1};
  const bool leaves_rows = __syncthreads_or(too_long >= 0);
  if (leaves_rows) {
    const bool crowded = __syncthreads_count(too_long > adaptive_rows_plan::long_if_crowded) >
                         adaptive_rows_plan::crowded_rows;
    const index_t cut_beyond =
        crowded ? adaptive_rows_plan::long_if_crowded : adaptive_rows_plan::very_long;
    if (too_long > cut_beyond && list.add(all.extent_of(i), too_long)) too_long = -1;
    __syncthreads();
  }
  if (list.has_helpers() && thread == 0) list.for_this_kernel.look_done(leaves_rows);
  if (size >= 0 && size <= plan.longest) all.reduce(all.at(i), i, size, lanes);
  if (leaves_rows) {
    reduce_left_rows(e, destination, rows, same_rows, first_row, too_long >= 0 ? own : -1,
                     too_long);
  }
  if (list.has_helpers()) {
    __syncthreads();
    help_with_cut_rows(e, destination, same_rows, list.for_this_kernel);
  }
}

/// A row a block.
template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(adaptive_rows_plan::threads, 5) void block_a_row_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows, const __grid_constant__ cut_row_list<Partial> list) {
  __shared__ bool is_cut;
  allow_next_kernel();
  const row_reductions<E, D> all{e, destination, rows, same_rows};
  const index_t i = blockIdx.x;
  const auto r = all.at(i);
  const index_t size = r.source.size();
  if (size > adaptive_rows_plan::very_long) {
    if (threadIdx.x == 0) is_cut = list.add(all.extent_of(i), size);
    __syncthreads();
    if (is_cut) return;
  }
  all.reduce_by_block(r, i, size);
}

/// adaptive_rows_plan::of(); a thread keeps its last answer.
[[nodiscard]] inline adaptive_rows_plan plan_before(const row_work& work,
                                                    const device_facts& device) {
  struct answer {
    row_work asked{.rows = -1};
    adaptive_rows_plan plan{};
  };
  thread_local answer last;
  if (!(last.asked == work)) last = {work, adaptive_rows_plan::of(work, device.rates)};
  return last.plan;
}

/// Realises a map > reduce over rows that lie one behind the other into destination[i], for any
/// associative operator. `longest` is that of the rows, negative where it is not known; where no
/// row can be very long, the second kernel is not launched.
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
  const auto plan = plan_before(row_work_of<reduction>(rows, atoms), device);
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
    const bool has_queue = counter->number() >= 0 && counter->number() < stream_queues;
    if (few_blocks && has_queue &&
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

  cut_row_list<partial> list;
  std::optional<workspace<cut_row>> row_memory;
  std::optional<workspace<partial>> sum_memory;
  if (may_cut) {
    constexpr auto room_rows =
        static_cast<int>(adaptive_rows_plan::cut_rows_at_most(room_enough, room_enough));
    constexpr auto room_sums =
        static_cast<int>(adaptive_rows_plan::pieces_at_most(room_enough, room_enough));
    list.counter = counter->get();
    if (atoms <= room_enough && counter->has_room<cut_row, partial>(room_rows, room_sums)) {
      list.row_capacity = room_rows;
      list.piece_capacity = room_sums;
    } else {
      list.row_capacity = static_cast<unsigned>(adaptive_rows_plan::cut_rows_at_most(rows, atoms));
      list.piece_capacity = static_cast<unsigned>(adaptive_rows_plan::pieces_at_most(rows, atoms));
      row_memory.emplace(on, named, index_t{list.row_capacity});
      sum_memory.emplace(on, named, index_t{list.piece_capacity});
      list.in_workspace(row_memory->data(), sum_memory->data());
    }
  }
  if (plan.lanes > 32) {
    launch(named, on.stream, blocks, threads, 0, block_a_row_kernel<E, D, partial>, e, destination,
           rows, have_same_rows(e), list);
  } else {
    launch(named, on.stream, blocks, threads, 0, few_lanes_kernel<E, D, partial>, e, destination,
           rows, have_same_rows(e), plan, cut_rows<partial>{list, {}});
  }
  if (!may_cut) return;
  const dim3 sharers(static_cast<unsigned>(2 * device.multiprocessors));
  launch_early(named, on.stream, sharers, threads,
               row_pieces_kernel<adaptive_rows_plan::threads, E, D, partial>, e, destination,
               have_same_rows(e), list);
}

}  // namespace fettle::ndp::cuda::detail
