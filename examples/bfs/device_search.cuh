// Searches on a GPU: level by level from the host, in one kernel, and the hybrid of both.
#pragma once

#include "../support/device.cuh"
#include "device_steps.cuh"
#include "graph.hpp"

namespace bfs::device {

using examples::device::array;
using examples::device::blocks_for;
using examples::device::check;

struct lists {
  lists(vertex count, const adjacency& host)
      : vertices(count),
        offsets(std::vector<unsigned>(host.offsets.begin(), host.offsets.end())),
        targets(host.targets) {}
  lists_view view() const { return {vertices, offsets.data(), targets.data()}; }

  int vertices;
  array<unsigned> offsets;
  array<int> targets;
};

/// A graph in device memory, with the memory of a search in it.
struct graph_memory {
  explicit graph_memory(graph given)
      : host(std::move(given)),
        out(host.vertices, host.out),
        in(host.vertices, host.in),
        queues(2 * (static_cast<std::size_t>(host.vertices) + host.edges() + 1)),
        counts(6),
        found(6),
        edges_found(1),
        reached(1) {}

  search_view search(int* levels) const {
    const auto vertices = static_cast<std::size_t>(host.vertices);
    int* const edges = queues.data() + 2 * vertices;
    return {out.view(),
            levels,
            {queues.data(), queues.data() + vertices},
            {edges, edges + host.edges() + 1},
            counts.data()};
  }

  graph host;
  lists out;
  lists in;
  array<int> queues;
  array<unsigned> counts;                 ///< of the queues
  array<unsigned> found;                  ///< of what bottom-up levels find
  array<unsigned long long> edges_found;  ///< of a level, or of all vertices that are reached
  array<uint2> reached;                   ///< a level, and how many edges it has
};

/// One number from the device.
template <class Value>
Value fetched(const Value* from) {
  static Value* const pinned = [] {
    Value* made = nullptr;
    check(cudaMallocHost(&made, sizeof(Value)), "cudaMallocHost");
    return made;
  }();
  check(cudaMemcpyAsync(pinned, from, sizeof(Value), cudaMemcpyDeviceToHost), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(nullptr), "a level");
  return *pinned;
}

/// As many blocks of a kernel as the device holds at once.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<unsigned>(blocks) * examples::device::multiprocessors();
}

inline void start(const search_view& s, vertex source, bool is_reached) {
  check(cudaMemsetAsync(s.levels, -1, static_cast<std::size_t>(s.out.vertices) * sizeof(int)),
        "cudaMemsetAsync");
  start_kernel<<<1, 1>>>(s, source, is_reached);
}

/// A kernel a phase and level; the host reads how many items the next level has.
template <class Steps>
void iterative(const graph_memory& g, vertex source, int* levels) {
  static const unsigned most_blocks = resident_blocks(&level_kernel<Steps>);
  constexpr bool by_edges = std::is_same_v<Steps, contract_expand>;
  const search_view s = g.search(levels);
  start(s, source, !by_edges);
  unsigned size = 1;
  for (int level = 0; size > 0; ++level) {
    for (int phase = 0; phase < Steps::phases; ++phase)
      level_kernel<Steps>
          <<<phase == 0 ? std::min(most_blocks, blocks_for(size, block_size)) : most_blocks,
             block_size>>>(s, level, phase);
    size = fetched(s.counts + (by_edges ? 3 : 0) + (level + 1) % 3);
  }
}

template <class Steps>
void fused(const graph_memory& g, vertex source, int* levels) {
  static const unsigned blocks = resident_blocks(&fused_kernel<Steps>);
  search_view s = g.search(levels);
  start(s, source, !std::is_same_v<Steps, contract_expand>);
  void* arguments[] = {&s};
  check(
      cudaLaunchCooperativeKernel(&fused_kernel<Steps>, blocks, block_size, arguments, 0, nullptr),
      "cudaLaunchCooperativeKernel");
}

/// The hybrid of Merrill, Garland and Grimshaw: levels of few edges by contract_expand in one
/// kernel, the others in two phases, a kernel each.
inline void hybrid(const graph_memory& g, vertex source, int* levels) {
  static const unsigned blocks = resident_blocks(&narrow_levels_kernel);
  static const unsigned most_blocks = resident_blocks(&level_kernel<contract_then_expand>);
  search_view s = g.search(levels);
  uint2* reached = g.reached.data();
  start(s, source, false);
  int level = 0;
  for (unsigned size = 1; size > 0;) {
    if (size <= blocks * block_size) {
      void* arguments[] = {&s, &level, &reached};
      check(cudaLaunchCooperativeKernel(&narrow_levels_kernel, blocks, block_size, arguments, 0,
                                        nullptr),
            "cudaLaunchCooperativeKernel");
      const uint2 next = fetched(reached);
      level = static_cast<int>(next.x);
      size = next.y;
    } else {
      for (int phase = 0; phase < 2; ++phase)
        level_kernel<contract_then_expand><<<most_blocks, block_size>>>(s, level, phase);
      ++level;
      size = fetched(s.counts + 3 + level % 3);
    }
  }
}

/// Adds the out-degrees of the vertices that a level has found, by warps.
__device__ inline void add_degrees(const lists_view& out, int v, unsigned long long* sum) {
  unsigned degree = v < 0 ? 0 : out.offsets[v + 1] - out.offsets[v];
  degree = __reduce_add_sync(~0U, degree);
  if (threadIdx.x % 32 == 0 && degree > 0) atomicAdd(sum, static_cast<unsigned long long>(degree));
}

/// The sum of the out-degrees of all vertices that are reached.
__global__ __launch_bounds__(block_size) void reached_kernel(lists_view out, const int* levels,
                                                             unsigned long long* sum) {
  const int v = static_cast<int>(blockIdx.x * block_size + threadIdx.x);
  add_degrees(out, v < out.vertices && levels[v] >= 0 ? v : -1, sum);
}

inline double reached_edges(const graph_memory& g, const int* levels) {
  unsigned long long* const sum = g.edges_found.data();
  check(cudaMemsetAsync(sum, 0, sizeof(*sum)), "cudaMemsetAsync");
  reached_kernel<<<blocks_for(static_cast<std::size_t>(g.host.vertices), block_size), block_size>>>(
      g.out.view(), levels, sum);
  return static_cast<double>(fetched(sum));
}

}  // namespace bfs::device
