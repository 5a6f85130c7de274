// Regrouping of slots.hpp on a GPU: a tile, n slots, is moved through shared memory. A block passes
// over consecutive tiles and needs a neighbour of its last one, which another block changes: all
// blocks have loaded this neighbour before any of them writes.
#pragma once

#include <cooperative_groups.h>

#include "device_edges.cuh"
#include "device_slots.cuh"

namespace transpose::device {

constexpr unsigned regroup_threads = 256;

/// How the kernels below are started; no block where three tiles do not fit into shared memory.
struct ring_launch {
  padded_rows rows;
  std::size_t shared;
  unsigned blocks;
};

/// The blocks are as many as run at once.
template <class Value>
ring_launch ring_of(const slot_layout& a) {
  const padded_rows rows(a.n, sizeof(Value));
  const std::size_t shared = rows.size(3 << a.shift) * sizeof(Value);
  const std::size_t fit = std::min<std::size_t>(most_shared / (shared + 1024), 8);
  return {rows, shared, static_cast<unsigned>(fit) * multiprocessors()};
}

/// What a block of the kernels below works with: a ring of three tiles of rows.
template <class Value>
struct tile_ring {
  Value* shared;
  padded_rows rows;
  number shift;

  __device__ Value& at(number tile_in_ring, number row, number column) const {
    return shared[rows.at((tile_in_ring << shift) + row, column)];
  }
};

/// The tiles of one block.
__device__ inline void tiles_of_block(number tiles, number& first, number& last) {
  first = static_cast<number>(std::uint64_t{tiles} * blockIdx.x / gridDim.x);
  last = static_cast<number>(std::uint64_t{tiles} * (blockIdx.x + 1) / gridDim.x);
}

/// Regroups from the last tile to the first: a tile needs its rows and those of the next. Saves
/// the heads of the permutation that follows.
template <class Value>
__global__ void __launch_bounds__(regroup_threads)
    regroup_kernel(Value* data, slot_chains<true> chains, padded_rows rows, Value* saved,
                   Value* edges) {
  extern __shared__ __align__(16) unsigned char shared[];
  const slot_layout& a = chains.layout;
  const tile_ring<Value> ring{reinterpret_cast<Value*>(shared), rows, a.shift};
  const number size = a.n << a.shift;
  number first;
  number last;
  tiles_of_block(a.tiles, first, last);
  const auto load = [&](number tile) {
    const number count = min(size, a.m * a.n - tile * size);  // of the rows behind the last tile
    const number base = tile % 3;
    const Value* const from = data + tile * size;
    for_each_of_block(count, a.n, [&](number k, number row, number j) {
      load_async(&ring.at(base, row, j), from + k);
    });
    __pipeline_commit();
  };
  if (first < last) load(last);
  save_edges<Value>(data, a, edges);
  __pipeline_wait_prior(0);
  cooperative_groups::this_grid().sync();
  if (first == last) return;
  load(last - 1);
  for (number tile = last; tile-- > first;) {
    if (tile > first) {
      load(tile - 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const number base = tile % 3;
    const number next = (tile + 1) % 3;
    for (number k = threadIdx.x; k < size; k += blockDim.x) {
      const number j = k >> a.shift;
      const number r = k & (a.length - 1);
      const number row = r + a.phase(j);
      const Value value = row < a.length ? ring.at(base, row, j) : ring.at(next, row - a.length, j);
      data[tile * size + k] = value;
      const number slot = tile * a.n + j;
      if (chains.is_head(slot)) saved[(slot >> chains.distance << a.shift) + r] = value;
    }
    __syncthreads();
  }
}

/// The inverse, from the first tile to the last: a tile needs its slots and those of the one
/// before.
template <class Value>
__global__ void __launch_bounds__(regroup_threads)
    ungroup_kernel(Value* data, slot_layout a, padded_rows rows) {
  extern __shared__ __align__(16) unsigned char shared[];
  const tile_ring<Value> ring{reinterpret_cast<Value*>(shared), rows, a.shift};
  const number size = a.n << a.shift;
  number first;
  number last;
  tiles_of_block(a.tiles, first, last);
  const auto load = [&](number tile, bool only_next) {
    const number base = tile % 3;
    const number next = (tile + 1) % 3;
    for (number k = threadIdx.x; k < size; k += blockDim.x) {
      const number j = k >> a.shift;
      const number row = (k & (a.length - 1)) + a.phase(j);
      const Value* const from = data + tile * size + k;
      if (row >= a.length) {
        load_async(&ring.at(next, row - a.length, j), from);
      } else if (!only_next) {
        load_async(&ring.at(base, row, j), from);
      }
    }
    __pipeline_commit();
  };
  if (first < last && first > 0) load(first - 1, true);
  __pipeline_wait_prior(0);
  cooperative_groups::this_grid().sync();
  if (first == last) return;
  load(first, false);
  for (number tile = first; tile < last; ++tile) {
    if (tile + 1 < last) {
      load(tile + 1, false);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const number base = tile % 3;
    Value* const to = data + tile * size;
    for_each_of_block(size, a.n,
                      [&](number k, number row, number j) { to[k] = ring.at(base, row, j); });
    __syncthreads();
  }
}

}  // namespace transpose::device
