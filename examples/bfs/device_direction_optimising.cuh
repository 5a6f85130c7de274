// Direction-optimising searches on a GPU, after Beamer, Asanovic and Patterson, SC 2012: levels
// with many edges are found bottom-up, by every vertex that is not reached yet. From the host, a
// kernel a level, and in one kernel.
#pragma once

#include "device_search.cuh"

namespace bfs::device {

// A level goes bottom-up where its edges are more than 1 / alpha of those that are not explored,
// and top-down again where it has at most 1 / beta of the vertices: the paper's values. In one
// kernel a top-down level costs little, and another alpha is the fastest on the training graphs.
constexpr unsigned alpha = 15;
constexpr unsigned alpha_fused = 4;
constexpr unsigned beta = 18;

/// Whether a vertex that is not reached has a neighbour on this level.
__device__ inline bool has_parent(const lists_view& in, const int* levels, int v, int level) {
  for (unsigned k = in.offsets[v]; k < in.offsets[v + 1]; ++k)
    if (levels[in.targets[k]] == level) return true;
  return false;
}

__global__ __launch_bounds__(block_size) void degrees_kernel(search_view s, int level,
                                                             unsigned long long* sum) {
  const queue_view found = s.vertex_queue(level);
  for_each_tile(found.items, *found.size, [&](int v) { add_degrees(s.out, v, sum); });
}

/// Every vertex that is not reached looks for a neighbour on this level.
__global__ __launch_bounds__(block_size) void bottom_up_kernel(search_view s, lists_view in,
                                                               int level, unsigned long long* sum) {
  s.prepare(level);
  const queue_view to = s.vertex_queue(level + 1);
  const int v = static_cast<int>(blockIdx.x * block_size + threadIdx.x);
  const bool found = v < in.vertices && s.levels[v] == -1 && has_parent(in, s.levels, v, level);
  if (found) {
    s.levels[v] = level + 1;
    to.push(v);
  }
  __syncwarp();
  add_degrees(s.out, found ? v : -1, sum);
}

/// A kernel or two a level; the host chooses.
inline void direction_optimising(const graph_memory& g, vertex source, int* levels) {
  static const unsigned most_blocks = resident_blocks(&level_kernel<expand_contract>);
  const search_view s = g.search(levels);
  unsigned long long* const sum = g.edges_found.data();
  start(s, source, true);
  const auto vertices = static_cast<unsigned>(g.host.vertices);
  unsigned size = 1;
  unsigned long long frontier_edges = g.host.out.degree(source);
  unsigned long long unexplored_edges = g.host.edges();
  bool is_bottom_up = false;
  for (int level = 0; size > 0; ++level) {
    is_bottom_up =
        is_bottom_up ? size > vertices / beta : frontier_edges > unexplored_edges / alpha;
    unexplored_edges -= std::min(unexplored_edges, frontier_edges);
    check(cudaMemsetAsync(sum, 0, sizeof(*sum)), "cudaMemsetAsync");
    const unsigned blocks = std::min(most_blocks, blocks_for(size, block_size));
    if (is_bottom_up) {
      bottom_up_kernel<<<blocks_for(vertices, block_size), block_size>>>(s, g.in.view(), level,
                                                                         sum);
    } else {
      level_kernel<expand_contract><<<blocks, block_size>>>(s, level, 0);
      degrees_kernel<<<most_blocks, block_size>>>(s, level + 1, sum);
    }
    size = fetched(s.counts + (level + 1) % 3);
    frontier_edges = size == 0 ? 0 : fetched(sum);
  }
}

/// What bottom-up levels find, vertices and their edges; level L has counter L % 3 of each, which
/// is read while the next level is found.
struct found_view {
  unsigned* counts;

  __device__ unsigned& vertices(int level) const { return counts[level % 3]; }
  __device__ unsigned& edges(int level) const { return counts[3 + level % 3]; }
  /// What the next level counts starts at zero.
  __device__ void prepare(int level) const {
    if (blockIdx.x == 0 && threadIdx.x == 0) vertices(level + 1) = edges(level + 1) = 0;
  }
};

/// Finds the vertices of a level by those of the level before, and counts them and their edges.
__device__ inline void find_bottom_up(const search_view& s, const lists_view& in, int level,
                                      const found_view& found) {
  unsigned vertices = 0;
  unsigned edges = 0;
  const int threads = static_cast<int>(gridDim.x) * block_size;
  for (int v = static_cast<int>(blockIdx.x * block_size + threadIdx.x); v < in.vertices;
       v += threads)
    if (s.levels[v] == -1 && has_parent(in, s.levels, v, level - 1)) {
      s.levels[v] = level;
      ++vertices;
      edges += s.out.offsets[v + 1] - s.out.offsets[v];
    }
  __syncwarp();
  vertices = __reduce_add_sync(~0U, vertices);
  edges = __reduce_add_sync(~0U, edges);
  if (threadIdx.x % 32 == 0 && vertices > 0) {
    atomicAdd(&found.vertices(level), vertices);
    atomicAdd(&found.edges(level), edges);
  }
}

/// Fills the queue of edges of the next level with those of a level's vertices.
__device__ inline void queue_edges(const search_view& s, int level, tile_storage& tile) {
  const unsigned vertices = static_cast<unsigned>(s.out.vertices);
  for (unsigned first = blockIdx.x * block_size; first < vertices;
       first += gridDim.x * block_size) {
    const unsigned v = first + threadIdx.x;
    const bool is_on = v < vertices && s.levels[v] == level;
    write_edges(s.out, is_on ? static_cast<int>(v) : -1, tile, s.edge_queue(level + 1));
  }
}

/// All levels in one kernel: top-down by contract_expand, whose queue says how many edges a level
/// has; bottom-up levels need no queue.
__global__ __launch_bounds__(block_size) void direction_optimising_kernel(search_view s,
                                                                          lists_view in,
                                                                          unsigned unexplored,
                                                                          found_view found) {
  __shared__ tile_storage tile;
  const auto grid = cooperative_groups::this_grid();
  const auto vertices = static_cast<unsigned>(in.vertices);
  int level = 0;
  bool is_bottom_up = false;
  for (unsigned edges = 1; edges > 0;) {
    const bool was_bottom_up = is_bottom_up;
    // A bottom-up level looks at every vertex, however few edges are left.
    const bool has_many_edges = edges > unexplored / alpha_fused && edges > vertices / beta;
    const bool has_many_vertices = was_bottom_up && found.vertices(level - 1) > vertices / beta;
    is_bottom_up = level > 0 && (has_many_edges || has_many_vertices);
    if (was_bottom_up && !is_bottom_up) {
      queue_edges(s, level - 1, tile);
      grid.sync();
    }
    unexplored -= min(unexplored, edges);
    s.prepare(level);
    found.prepare(level);
    if (is_bottom_up)
      find_bottom_up(s, in, level, found);
    else
      contract_expand::run(s, level, 0, tile);
    ++level;
    grid.sync();
    edges = is_bottom_up ? found.edges(level - 1) : contract_expand::size(s, level);
  }
}

inline void direction_optimising_fused(const graph_memory& g, vertex source, int* levels) {
  static const unsigned blocks = resident_blocks(&direction_optimising_kernel);
  search_view s = g.search(levels);
  lists_view in = g.in.view();
  auto unexplored = static_cast<unsigned>(g.host.edges());
  found_view found{g.found.data()};
  check(cudaMemsetAsync(found.counts, 0, g.found.size() * sizeof(unsigned)), "cudaMemsetAsync");
  start(s, source, false);
  void* arguments[] = {&s, &in, &unexplored, &found};
  check(cudaLaunchCooperativeKernel(&direction_optimising_kernel, blocks, block_size, arguments, 0,
                                    nullptr),
        "cudaLaunchCooperativeKernel");
}

}  // namespace bfs::device
