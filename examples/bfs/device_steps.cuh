// The steps of a breadth-first search on a GPU, after Merrill, Garland and Grimshaw, "Scalable GPU
// graph traversal", PPoPP 2012: expansion writes out the neighbours of vertices, contraction keeps
// those that are reached for the first time. A block shares the edges of a tile of vertices out
// among its threads, whatever the degrees are.
#pragma once

#include <cooperative_groups.h>
#include <cstdint>
#include <cub/block/block_scan.cuh>

namespace bfs::device {

constexpr int block_size = 256;

/// Adjacency lists in device memory.
struct lists_view {
  int vertices;
  const unsigned* offsets;
  const int* targets;
};

/// A queue that threads append to; `size` is zeroed a level before it is used.
struct queue_view {
  int* items;
  unsigned* size;

  __device__ void push(int item) const {
    const auto together = cooperative_groups::coalesced_threads();
    unsigned first = 0;
    if (together.thread_rank() == 0) first = atomicAdd(size, together.size());
    items[together.shfl(first, 0) + together.thread_rank()] = item;
  }
};

/// Whether this thread is the first to reach v, which then is on level `next`.
__device__ inline bool is_first(int* levels, int v, int next) {
  return levels[v] == -1 && atomicCAS(levels + v, -1, next) == -1;
}

/// What a block shares a tile's edges out by.
struct tile_storage {
  using scan = cub::BlockScan<unsigned, block_size>;
  typename scan::TempStorage scanning;
  unsigned begins[block_size];
  unsigned firsts[block_size];
  unsigned place;
};

/// Calls begin(edges) with the number of edges of the block's vertices (-1: none for this thread),
/// by all threads, and then visit(n, target) for each edge n, by one thread each.
template <class Begin, class Visit>
__device__ void for_each_edge(const lists_view& g, int v, tile_storage& tile, const Begin& begin,
                              const Visit& visit) {
  const unsigned first = v < 0 ? 0 : g.offsets[v];
  const unsigned degree = v < 0 ? 0 : g.offsets[v + 1] - first;
  unsigned before = 0;
  unsigned edges = 0;
  tile_storage::scan(tile.scanning).ExclusiveSum(degree, before, edges);
  tile.begins[threadIdx.x] = before;
  tile.firsts[threadIdx.x] = first;
  begin(edges);
  __syncthreads();
  for (unsigned n = threadIdx.x; n < edges; n += block_size) {
    int low = 0;  // the last vertex whose edges begin at n or before
    for (int step = block_size / 2; step > 0; step /= 2)
      if (tile.begins[low + step] <= n) low += step;
    visit(n, g.targets[tile.firsts[low] + n - tile.begins[low]]);
  }
  __syncthreads();
}

/// Appends the neighbours of the block's vertices to `to`.
__device__ inline void write_edges(const lists_view& g, int v, tile_storage& tile,
                                   const queue_view& to) {
  for_each_edge(
      g, v, tile,
      [&](unsigned edges) {
        if (threadIdx.x == 0 && edges > 0) tile.place = atomicAdd(to.size, edges);
      },
      [&](unsigned n, int target) { to.items[tile.place + n] = target; });
}

/// Calls step(item) for the items of a queue, tile by tile, by all threads of each block; -1 where
/// there are fewer items than threads.
template <class Step>
__device__ void for_each_tile(const int* items, unsigned size, const Step& step) {
  for (unsigned first = blockIdx.x * block_size; first < size; first += gridDim.x * block_size) {
    const unsigned n = first + threadIdx.x;
    step(n < size ? items[n] : -1);
  }
}

/// The two queues and counters of a search; level L reads queue L % 2 and counter L % 3.
struct search_view {
  lists_view out;
  int* levels;
  int* vertices[2];
  int* edges[2];
  unsigned* counts;  ///< three of vertices and three of edges

  __device__ queue_view vertex_queue(int level) const {
    return {vertices[level % 2], counts + level % 3};
  }
  __device__ queue_view edge_queue(int level) const {
    return {edges[level % 2], counts + 3 + level % 3};
  }
  /// What the level after the next one appends to starts empty.
  __device__ void prepare(int level) const {
    if (blockIdx.x == 0 && threadIdx.x == 0)
      counts[(level + 2) % 3] = counts[3 + (level + 2) % 3] = 0;
  }
};

/// From a queue of vertices to the next: neighbours are contracted as soon as they are read.
struct expand_contract {
  static constexpr int phases = 1;
  static __device__ unsigned size(const search_view& s, int level) {
    return *s.vertex_queue(level).size;
  }
  static __device__ void run(const search_view& s, int level, int, tile_storage& tile) {
    const queue_view from = s.vertex_queue(level);
    const queue_view to = s.vertex_queue(level + 1);
    for_each_tile(from.items, *from.size, [&](int v) {
      for_each_edge(
          s.out, v, tile, [](unsigned) {},
          [&](unsigned, int target) {
            if (is_first(s.levels, target, level + 1)) to.push(target);
          });
    });
  }
};

/// From a queue of edges' targets to the next: what is reached for the first time is expanded.
struct contract_expand {
  static constexpr int phases = 1;
  static __device__ unsigned size(const search_view& s, int level) {
    return *s.edge_queue(level).size;
  }
  static __device__ void run(const search_view& s, int level, int, tile_storage& tile) {
    const queue_view from = s.edge_queue(level);
    for_each_tile(from.items, *from.size, [&](int v) {
      write_edges(s.out, v >= 0 && is_first(s.levels, v, level) ? v : -1, tile,
                  s.edge_queue(level + 1));
    });
  }
};

/// Expansion writes all edges, contraction reads them in a separate phase.
struct two_phase {
  static constexpr int phases = 2;
  static __device__ unsigned size(const search_view& s, int level) {
    return *s.vertex_queue(level).size;
  }
  static __device__ void run(const search_view& s, int level, int phase, tile_storage& tile) {
    if (phase == 0) {
      const queue_view from = s.vertex_queue(level);
      for_each_tile(from.items, *from.size,
                    [&](int v) { write_edges(s.out, v, tile, s.edge_queue(level)); });
    } else {
      const queue_view from = s.edge_queue(level);
      const queue_view to = s.vertex_queue(level + 1);
      for_each_tile(from.items, *from.size, [&](int v) {
        if (v >= 0 && is_first(s.levels, v, level + 1)) to.push(v);
      });
    }
  }
};

/// From a queue of edges' targets to the next, by a queue of vertices between two phases.
struct contract_then_expand {
  static __device__ void run(const search_view& s, int level, int phase, tile_storage& tile) {
    if (phase == 0) {
      const queue_view from = s.edge_queue(level);
      const queue_view to = s.vertex_queue(level);
      for_each_tile(from.items, *from.size, [&](int v) {
        if (v >= 0 && is_first(s.levels, v, level)) to.push(v);
      });
    } else {
      const queue_view from = s.vertex_queue(level);
      for_each_tile(from.items, *from.size,
                    [&](int v) { write_edges(s.out, v, tile, s.edge_queue(level + 1)); });
    }
  }
};

/// One phase of one level.
template <class Steps>
__global__ __launch_bounds__(block_size) void level_kernel(search_view s, int level, int phase) {
  __shared__ tile_storage tile;
  if (phase == 0) s.prepare(level);
  Steps::run(s, level, phase, tile);
}

/// All levels in one kernel, whose blocks are all resident and meet between phases.
template <class Steps>
__global__ __launch_bounds__(block_size) void fused_kernel(search_view s) {
  __shared__ tile_storage tile;
  const auto grid = cooperative_groups::this_grid();
  for (int level = 0; Steps::size(s, level) > 0; ++level) {
    s.prepare(level);
    for (int phase = 0; phase < Steps::phases; ++phase) {
      Steps::run(s, level, phase, tile);
      grid.sync();
    }
  }
}

/// Levels from `level` on by contract_expand in one kernel, as long as each edge of a level has a
/// thread; `reached` gets the first level that has more edges, or none, and how many.
__global__ __launch_bounds__(block_size) void narrow_levels_kernel(search_view s, int level,
                                                                   uint2* reached) {
  __shared__ tile_storage tile;
  const auto grid = cooperative_groups::this_grid();
  unsigned size = contract_expand::size(s, level);
  while (size > 0 && size <= gridDim.x * block_size) {
    s.prepare(level);
    contract_expand::run(s, level++, 0, tile);
    grid.sync();
    size = contract_expand::size(s, level);
  }
  if (grid.thread_rank() == 0) *reached = {static_cast<unsigned>(level), size};
}

/// The queues hold the source alone; `levels` is -1 throughout before.
__global__ void start_kernel(search_view s, int source, bool is_reached) {
  s.vertices[0][0] = s.edges[0][0] = source;
  for (int n = 0; n < 6; ++n) s.counts[n] = n % 3 == 0 ? 1 : 0;
  if (is_reached) s.levels[source] = 0;
}

}  // namespace bfs::device
