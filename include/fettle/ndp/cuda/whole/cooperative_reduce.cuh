// cooperative_reduce: one reduction by the whole device, in one launch.
//
// A small reduction is one block. Of a larger one every block reduces a chunk of neighbouring
// elements; their results go through device memory (the stream's own, or a workspace), and the
// block that is done last combines them, in the order of the chunks: the result depends on the
// policy and the device, not on timing, and the operator need not commute. On an H100, kernels
// in a graph that read 160 to 500 kB take 3.5 us so; as clusters of eight blocks, which hand
// results over through shared memory, 3.6 to 4.4.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/bytes_read.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/resident_blocks.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/reduce_plan.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Chunks begin at multiples of a cache line's elements.
template <typename S>
inline constexpr index_t chunk_unit_v =
    sizeof(typename S::value_type) >= 128 ? 1 : 128 / sizeof(typename S::value_type);

template <typename Policy>
using whole_block_t = block_resource<Policy::value.block_size_x, Policy::value.block_size_y,
                                     Policy::value.level[0].block_reduce_algo>;

/// This block's part of a reduction by `blocks` blocks; right at thread 0.
template <typename Policy, typename R>
[[nodiscard]] __device__ auto fold_chunk(const R& r, index_t block, index_t blocks) {
  using T = typename R::value_type;
  constexpr index_t unit = chunk_unit_v<decltype(r.source)>;
  const index_t count = r.source.size();
  return fold<whole_block_t<Policy>, true, decltype(r.op), T>(
      r.op, r.source, chunk_begin(block, blocks, count, unit),
      chunk_begin(block + 1, blocks, count, unit));
}

template <typename R, typename Partial, typename D>
__device__ void store_total(const R& r, const Partial& all, const D& destination) {
  auto total = Partial::of(static_cast<typename R::value_type>(r.seed));
  total.append(r.op, all);
  store(destination[0], total.value);
}

template <typename Policy, typename R, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void reduce_block_kernel(
    const __grid_constant__ R r, const __grid_constant__ D destination) {
  const auto all = fold<whole_block_t<Policy>, true, decltype(r.op), typename R::value_type>(
      r.op, r.source, 0, r.source.size());
  if (thread_in_block() == 0) store_total(r, all, destination);
}

/// Stores the total of all blocks. Each block passes its partial value, which its thread 0 has; the
/// block that arrives last combines them.
template <typename Policy, typename R, typename D>
__device__ void combine_blocks(const R& r,
                               const partial_value<decltype(R::op), typename R::value_type>& mine,
                               const D& destination,
                               partial_value<decltype(R::op), typename R::value_type>* in_workspace,
                               const arrivals& counter) {
  using block = whole_block_t<Policy>;
  using partial = partial_value<decltype(R::op), typename R::value_type>;
  if (gridDim.x == 1) {
    if (thread_in_block() == 0) store_total(r, mine, destination);
    return;
  }
  partial* const parts = in_workspace != nullptr ? in_workspace : counter.room<partial>();
  __shared__ bool last;
  if (thread_in_block() == 0) {
    parts[blockIdx.x] = mine;
    last = counter.is_last(gridDim.x);
  }
  __syncthreads();
  if (!last) return;
  // In order: each thread combines a run of neighbouring parts, then the block combines the
  // threads' values by rank.
  const unsigned int run = (gridDim.x + block::size - 1) / block::size;
  const unsigned int first = static_cast<unsigned int>(block::rank()) * run;
  auto own = partial::none();
  for (unsigned int i = first; i < first + run && i < gridDim.x; ++i) {
    own.append(r.op, parts[i]);
  }
  const partial all = block::combine(r.op, own);
  if (block::rank() == 0) store_total(r, all, destination);
}

template <typename Policy, typename R, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void reduce_grid_kernel(
    const __grid_constant__ R r, const __grid_constant__ D destination,
    partial_value<decltype(R::op), typename R::value_type>* in_workspace, arrivals counter) {
  combine_blocks<Policy>(r, fold_chunk<Policy>(r, blockIdx.x, gridDim.x), destination, in_workspace,
                         counter);
}

/// cooperative on a reduce, by all of the device: destination[0] = the reduction's value. OneBlock
/// is the policy of a small one.
template <typename Policy, typename OneBlock = Policy, typename R, typename D>
void run_device_reduce(const platform::cuda& on, const computation& named, const R& r,
                       const D& destination) {
  if constexpr (!is_combinable_v<R>) {
    run_single<Policy, thread_resource, true>(on, named, r, destination);
  } else {
    using partial = partial_value<decltype(r.op), typename R::value_type>;
    const device_facts& device = current_device_facts(named);
    using elements = decltype(r.source);
    constexpr auto read = static_cast<std::size_t>(bytes_read_v<elements>.all());
    constexpr std::size_t element_bytes = read > 0 ? read : sizeof(typename elements::value_type);
    const index_t count = r.source.size();
    if (one_block_reduces(count, element_bytes, threads_v<OneBlock>)) {
      launch(named, on.stream, dim3(1), block_of<OneBlock>(), 0,
             reduce_block_kernel<OneBlock, R, D>, r, destination);
      return;
    }
    const int blocks =
        plan_reduce(count, element_bytes, threads_v<Policy>, device.multiprocessors,
                    resident_blocks<reduce_grid_kernel<Policy, R, D>, threads_v<Policy>>(named));
    const arrival_counter counter(on, named);
    const index_t wanted = counter.has_room<partial>(blocks) ? 0 : blocks;
    const workspace<partial> parts(on, named, wanted);
    launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), block_of<Policy>(), 0,
           reduce_grid_kernel<Policy, R, D>, r, destination, parts.data(), counter.get());
  }
}

}  // namespace fettle::ndp::cuda::detail
