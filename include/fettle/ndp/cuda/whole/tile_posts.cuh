// tile_posts: how the blocks of one kernel, a tile each, find out what lies before their tiles.
// Each posts what its tile has and reads what all earlier ones have posted: decoupled look-back
// (Merrill and Garland, "Single-pass parallel prefix scan", 2016) in one step, for as many tiles as
// a block reads at once.
//
// Blocks wait for blocks of lower numbers only; those have started before, so all get done.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename T>
struct tile_posts {
  using posts = posted_carries<T, true>;
  /// Tiles that the stream's queue has room for (arrival_counter::has_queue).
  static constexpr index_t most_tiles = static_cast<index_t>(
      stream_queue_bytes / (std::size_t{posts::words} * sizeof(typename posts::word)));

  arrivals counter;

  [[nodiscard]] __device__ posts all() const {
    return {reinterpret_cast<typename posts::word*>(counter.queue()), index_t{gridDim.x}};
  }

  /// By one thread of each block, when the block has posted and needs no more posts. True for the
  /// last block, which has to clear them.
  [[nodiscard]] __device__ bool leave() const { return counter.is_last(gridDim.x); }

  /// By the threads of that block.
  __device__ void clear() const {
    const index_t words = index_t{gridDim.x} * posts::words;
    const index_t threads = index_t{blockDim.x} * blockDim.y;
    for (index_t i = threadIdx.x + index_t{threadIdx.y} * blockDim.x; i < words; i += threads) {
      all().data[i] = 0;
    }
  }
};

}  // namespace fettle::ndp::cuda::detail
