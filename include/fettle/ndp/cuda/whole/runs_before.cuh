// Which runs of equal keys begin before each tile of them: one block a tile counts those that begin
// in it, then one block adds the counts up.
#pragma once

#include <cub/block/block_scan.cuh>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What a tile has to know of the runs before it.
struct tile_runs {
  index_t runs;    // that begin in the tile; later, that begin before it
  index_t opened;  // the last tile before it in which a run begins
};

template <int Threads, typename K>
__global__ __launch_bounds__(Threads) void count_runs_kernel(const __grid_constant__ K keys,
                                                             index_t tile_length,
                                                             tile_runs* tiles) {
  const run_chunk tile = run_chunk::of(blockIdx.x, tile_length, keys.size());
  index_t runs = 0;
  for (index_t base = tile.begin; base < tile.end; base += Threads) {
    const index_t i = base + threadIdx.x;
    runs += __syncthreads_count(i < tile.end && begins_run(keys, i));
  }
  if (threadIdx.x == 0) tiles[blockIdx.x] = {runs, -1};
}

/// One block: counts become sums of all tiles before.
template <int Threads>
__global__ __launch_bounds__(Threads) void sum_runs_kernel(index_t tiles, tile_runs* all) {
  using sum_scan = cub::BlockScan<index_t, Threads>;
  __shared__ typename sum_scan::TempStorage storage;
  index_t runs = 0;
  index_t opened = -1;
  for (index_t first = 0; first < tiles; first += Threads) {
    const index_t tile = first + threadIdx.x;
    const bool inside = tile < tiles;
    index_t before = inside ? all[tile].runs : 0;
    index_t last_opened = inside && before > 0 ? tile : index_t{-1};
    index_t total = 0;
    index_t newest = 0;
    sum_scan(storage).ExclusiveSum(before, before, total);
    __syncthreads();
    sum_scan(storage).ExclusiveScan(last_opened, last_opened, index_t{-1}, maximum{}, newest);
    __syncthreads();
    if (inside) {
      all[tile].runs = runs + before;
      all[tile].opened = last_opened > opened ? last_opened : opened;
    }
    runs += total;
    if (newest > opened) opened = newest;
  }
}

}  // namespace fettle::ndp::cuda::detail
