// A seeded scan of some million elements in one kernel, where CUB takes two: every block reduces a
// chunk, posts the result (tile_posts.cuh), and scans its chunk after what the blocks before have
// posted. In order, and the same in every run.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/scan_range.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/cooperative_reduce.cuh>
#include <fettle/ndp/cuda/whole/reduce_plan.hpp>
#include <fettle/ndp/cuda/whole/tile_posts.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void scan_by_posts_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination,
    tile_posts<partial_value<decltype(E::op), typename E::value_type>> posts) {
  using T = typename E::value_type;
  using partial = partial_value<decltype(e.op), T>;
  using block = whole_block_t<Policy>;
  constexpr level its = level_v<Policy, 0>;
  constexpr index_t unit = chunk_unit_v<decltype(e.source)>;
  __shared__ alignas(partial) unsigned char before_bytes[sizeof(partial)];
  __shared__ bool is_last;
  auto* const before = reinterpret_cast<partial*>(before_bytes);
  const index_t chunk = blockIdx.x;
  const index_t chunks = gridDim.x;
  const bool is_first_thread = block::rank() == 0;
  const partial mine = fold_chunk<Policy>(e, chunk, chunks);
  if (is_first_thread) posts.all().post(chunk, mine);
  partial posted = partial::none();
  if (block::rank() < chunk) posted = posts.all().take(block::rank());
  posted = block::combine(e.op, posted);
  if (is_first_thread) {
    *before = partial::of(static_cast<T>(e.seed));
    before->append(e.op, posted);
  }
  __syncthreads();
  if (is_first_thread) is_last = posts.leave();
  range_scan<block, its.block_scan_algo, its.block_scan_grain_size, E::is_inclusive>::run(
      e.op, e.source, chunk_begin(chunk, chunks, e.size(), unit),
      chunk_begin(chunk + 1, chunks, e.size(), unit), before->value,
      [&](index_t i, const T& value) { store(destination[i], value); });
  __syncthreads();
  if (is_last) posts.clear();
}

/// False, and nothing done, where CUB has to scan.
template <typename Policy, typename E, typename D>
[[nodiscard]] bool scan_by_posts(const platform::cuda& on, const computation& named, const E& e,
                                 const D& destination) {
  using T = typename E::value_type;
  using posts = tile_posts<partial_value<decltype(e.op), T>>;
  constexpr int threads = threads_v<Policy>;
  constexpr index_t tile = index_t{threads} * level_v<Policy, 0>.block_scan_grain_size;
  const int blocks = plan_posted_scan(e.size(), sizeof(T), tile, threads,
                                      current_device_facts(named).multiprocessors);
  if (blocks == 0 || blocks > posts::most_tiles) return false;
  const arrival_counter counter(on, named);
  if (!counter.has_queue()) return false;
  launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), block_of<Policy>(), 0,
         scan_by_posts_kernel<Policy, E, D>, e, destination, posts{counter.get()});
  return true;
}

}  // namespace fettle::ndp::cuda::detail
