// filter and unique in one kernel, for as many elements as it is faster for than CUB's two: a block
// a tile, whose place among what is kept follows from what the blocks before have posted
// (tile_posts.cuh).
//
// A thread reads elements 32 apart, so that a warp reads neighbours; ballots number those that are
// kept in their order.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/tile_posts.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int select_threads = 256;
inline constexpr int select_items = 8;  // elements of a thread
inline constexpr index_t select_tile = index_t{select_threads} * select_items;

/// Elements that threads can hold until they know where these go.
template <typename E>
inline constexpr bool selects_by_posts_v = [] {
  using T = typename E::value_type;
  return !E::is_partition && sizeof(T) <= 16 && std::is_trivially_copyable_v<T> &&
         std::is_default_constructible_v<T>;
}();

/// What the tiles first, first + select_threads, ... before this block's have posted. Several reads
/// are on their way at once.
[[nodiscard]] __device__ inline unsigned sum_of_posts(const tile_posts<unsigned>::posts& posts,
                                                      index_t first) {
  constexpr int ahead = 4;
  constexpr auto flag = tile_posts<unsigned>::posts::flag;
  unsigned sum = 0;
  for (; first < blockIdx.x; first += index_t{ahead} * select_threads) {
    unsigned long long seen[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      const index_t tile = first + k * select_threads;
      seen[k] = tile < blockIdx.x ? read_posted(posts.at(tile, 0)) : flag;
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      while ((seen[k] & flag) == 0) {
        seen[k] = read_posted(posts.at(first + k * select_threads, 0));
      }
      sum += static_cast<unsigned>(seen[k]);
    }
  }
  return sum;
}

template <typename E, typename D, typename N>
__global__ __launch_bounds__(select_threads) void select_by_posts_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, N* kept,
    tile_posts<unsigned> posts) {
  using T = typename E::value_type;
  using sum_of_block = cub::BlockReduce<unsigned, select_threads>;
  constexpr int warps = select_threads / 32;
  constexpr unsigned all_lanes = 0xFFFFFFFFU;
  __shared__ typename sum_of_block::TempStorage sum_shared;
  __shared__ unsigned shared_before;
  __shared__ unsigned of_warps[warps];
  __shared__ bool shared_is_last;

  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % 32;
  const unsigned warp = thread / 32;
  const index_t count = e.size();
  const index_t first = blockIdx.x * select_tile + index_t{warp} * 32 * select_items + lane;
  T x[select_items];
#pragma unroll
  for (int k = 0; k < select_items; ++k) {
    if (first + 32 * k < count) x[k] = static_cast<T>(e.source[first + 32 * k]);
  }
  unsigned keeps = 0;  // bit k: element k of this thread is kept
#pragma unroll
  for (int k = 0; k < select_items; ++k) {
    const index_t at = first + 32 * k;
    if (at < count && e.keeps(at, x[k])) keeps |= 1U << k;
  }
  unsigned ballots[select_items];
  unsigned of_warp = 0;
#pragma unroll
  for (int k = 0; k < select_items; ++k) {
    ballots[k] = __ballot_sync(all_lanes, ((keeps >> k) & 1U) != 0);
    of_warp += static_cast<unsigned>(__popc(ballots[k]));
  }
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  unsigned in_tile = 0;  // of the tile, and of the warps before this one
  unsigned before_warp = 0;
#pragma unroll
  for (unsigned w = 0; w < warps; ++w) {
    if (w == warp) before_warp = in_tile;
    in_tile += of_warps[w];
  }
  if (thread == 0) posts.all().post(blockIdx.x, in_tile);
  unsigned before = sum_of_posts(posts.all(), thread);
  before = sum_of_block(sum_shared).Sum(before);
  if (thread == 0) shared_before = before;
  __syncthreads();
  if (thread == 0) {
    shared_is_last = posts.leave();
    if (blockIdx.x == gridDim.x - 1) *kept = static_cast<N>(before + in_tile);
  }
  index_t to = shared_before + before_warp;
#pragma unroll
  for (int k = 0; k < select_items; ++k) {
    if (((keeps >> k) & 1U) != 0) {
      const index_t own = to + __popc(ballots[k] & ((1U << lane) - 1));
      if (own < destination.size()) store(destination[own], x[k]);
    }
    to += __popc(ballots[k]);
  }
  __syncthreads();
  if (shared_is_last) posts.clear();
}

/// Tiles up to which one kernel is faster.
inline constexpr index_t most_tiles_of_select = 1024;

/// The selection `e` into `destination`, and the number of what is kept to *kept. False, and
/// nothing done, where CUB's kernels have to do it.
template <typename E, typename D, typename N>
[[nodiscard]] bool select_by_posts(const platform::cuda& on, const computation& named, const E& e,
                                   const D& destination, N* kept) {
  if constexpr (selects_by_posts_v<E>) {
    static_assert(most_tiles_of_select <= tile_posts<unsigned>::most_tiles);
    const index_t tiles = ceiling_quotient(e.size(), select_tile);
    if (tiles > most_tiles_of_select) return false;
    const arrival_counter counter(on, named);
    if (!counter.has_queue()) return false;
    launch(named, on.stream, dim3(static_cast<unsigned>(tiles)), dim3(select_threads), 0,
           select_by_posts_kernel<E, D, N>, e, destination, kept,
           tile_posts<unsigned>{counter.get()});
    return true;
  } else {
    return false;
  }
}

}  // namespace fettle::ndp::cuda::detail
