// The kernels of adaptive_rows.cuh: a few lanes a row, and more for those that turn out to be
// longer; or a block a row.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/lane_group.cuh>
#include <fettle/ndp/cuda/rows/row_pieces.cuh>
#include <fettle/ndp/cuda/rows/row_queue.cuh>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
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

/// Blocks of a multiprocessor that leave a thread the registers for elements and results of so many
/// bytes: 32, 40 or 64 of them. Wide ones in 32 registers are spilled, which took twice as long; so
/// is what is made of wide ones.
template <typename R, typename Partial>
inline constexpr int blocks_of_few_lanes_v = [] {
  constexpr std::size_t element = sizeof(std::remove_cvref_t<element_t<decltype(R::source)>>);
  constexpr std::size_t widest = element > sizeof(Partial) ? element : sizeof(Partial);
  if (bytes_read_v<decltype(R::source)>.in_order > 48) return 4;
  return widest <= 12 ? 8 : widest <= 32 ? 6 : 4;
}();

template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(
    adaptive_rows_plan::threads,
    (blocks_of_few_lanes_v<
        typename E::value_type,
        Partial>)) void few_lanes_kernel(const __grid_constant__ E e,
                                         const __grid_constant__ D destination, index_t rows,
                                         bool same_rows, const adaptive_rows_plan plan,
                                         const __grid_constant__ cut_rows<Partial> list) {
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

}  // namespace fettle::ndp::cuda::detail
