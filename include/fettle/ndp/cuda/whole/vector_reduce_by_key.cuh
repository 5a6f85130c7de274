// reduce_by_key > map: sums of points, a run of equal keys each (the centroids of k-means).
//
// Threads side by side (block_size_x) take coordinates, so that they read neighbouring memory;
// those above each other (block_size_y) take chunks of consecutive points. Blocks count the runs
// that begin in their tiles, one block adds that up, all walk their tiles (run_chunk.hpp), and what
// tiles have of runs that go beyond them is combined in order.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/runs_before.cuh>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A vector operator at one coordinate, as an operator on scalars: the operator is given vectors
/// that are the scalar everywhere.
template <typename Op, typename T>
struct coordinate_operator {
  Op op;
  index_t coordinate;
  index_t width;

  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const {
    // Not by replicate(), which would check the width each time.
    using vector = constant_sequence<T>;
    return static_cast<T>(op(vector{a, width}, vector{b, width})[coordinate]);
  }
};

template <typename Op, typename T>
concept takes_any_vectors =
    requires(const Op& op, const constant_sequence<T>& v) { op(v, v)[index_t{}]; };

/// A run's element at a coordinate; nothing where the destination has no room for the run.
template <typename D, typename T>
__device__ void store_coordinate(const D& destination, index_t run, index_t coordinate,
                                 index_t width, const T& value) {
  if constexpr (nested<D>) {
    if (run < destination.size()) store(destination[run][coordinate], value);
  } else {
    const index_t at = run * width + coordinate;
    if (at < destination.size()) store(destination[at], value);
  }
}

template <typename Policy, typename E, typename D, typename Partial>
__global__ __launch_bounds__(threads_v<Policy>) void walk_tiles_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t chunk_length,
    const tile_runs* tiles, Partial* firsts, Partial* lasts, bool* ends_older) {
  using T = decltype(Partial::value);
  using operator_type = coordinate_operator<decltype(E::op), T>;
  constexpr int columns = Policy::value.block_size_x;
  constexpr int chunks = Policy::value.block_size_y;
  __shared__ alignas(
      run_parts<Partial>) unsigned char part_bytes[columns * chunks * sizeof(run_parts<Partial>)];
  __shared__ index_t chunk_runs[chunks];
  auto* const parts = reinterpret_cast<run_parts<Partial>*>(part_bytes);

  const int column = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(threadIdx.y);
  const index_t width = e.seed.size();
  const index_t x = index_t{blockIdx.y} * columns + column;
  const index_t tile = blockIdx.x;
  const run_chunk chunk = run_chunk::of(tile * chunks + row, chunk_length, e.size());
  if (column == 0) chunk_runs[row] = count_runs(e.keys, chunk);
  __syncthreads();
  index_t runs = tiles[tile].runs;
  for (int i = 0; i < row; ++i) runs += chunk_runs[i];

  const operator_type op{e.op, x, width};
  const auto complete = [&](index_t run, const Partial& sum) {
    store_coordinate(destination, run, x, width, op(static_cast<T>(e.seed[x]), sum.value));
  };
  if (x < width) {
    parts[row * columns + column] = walk_runs<Partial>(
        chunk, runs, op, e.keys, [&](index_t i) { return static_cast<T>(e.source[i][x]); },
        complete);
  }
  __syncthreads();
  if (row > 0 || x >= width) return;
  auto joiner = run_joiner<Partial>::at(tile == 0);
  for (int i = 0; i < chunks; ++i) {
    // The run that ends first in a chunk is the one before those that begin there; the very first
    // run has none before it.
    const index_t ended = runs - 1 + (tile == 0 && i == 0 ? 1 : 0);
    joiner.add(op, parts[i * columns + column], ended, complete);
    runs += chunk_runs[i];
  }
  firsts[tile * width + x] = joiner.tile.first;
  lasts[tile * width + x] = joiner.tile.last;
  if (x == 0) ends_older[tile] = joiner.tile.ends_run;
}

/// A block for each tile in which a run ends that began in an earlier one: threads side by side
/// take coordinates, those above each other a part of the tiles each.
template <int Columns, int Parts, typename E, typename D, typename Partial>
__global__ __launch_bounds__(Columns* Parts) void combine_tiles_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, const tile_runs* tiles,
    const Partial* firsts, const Partial* lasts, const bool* ends_older) {
  using T = decltype(Partial::value);
  __shared__ alignas(Partial) unsigned char part_bytes[Columns * Parts * sizeof(Partial)];
  auto* const parts = reinterpret_cast<Partial*>(part_bytes);
  const index_t tile = blockIdx.x;
  if (!ends_older[tile]) return;
  const int column = static_cast<int>(threadIdx.x);
  const int part = static_cast<int>(threadIdx.y);
  const index_t width = e.seed.size();
  const index_t x = index_t{blockIdx.y} * Columns + column;
  const coordinate_operator<decltype(E::op), T> op{e.op, x, width};
  const index_t first = tiles[tile].opened;
  const run_chunk own = run_chunk::of(part, ceiling_quotient(tile - first, Parts), tile - first);
  Partial sum = Partial::none();
  if (x < width) {
#pragma unroll 4
    for (index_t i = first + own.begin; i < first + own.end; ++i) {
      sum.append(op, lasts[i * width + x]);
    }
  }
  parts[part * Columns + column] = sum;
  __syncthreads();
  if (part > 0 || x >= width) return;
  for (int i = 1; i < Parts; ++i) sum.append(op, parts[i * Columns + column]);
  sum.append(op, firsts[tile * width + x]);
  store_coordinate(destination, tiles[tile].runs - 1, x, width,
                   op(static_cast<T>(e.seed[x]), sum.value));
}

/// Points that a thread takes one after the other: enough tiles for all multiprocessors, at least
/// eight points, so that there are few carries.
[[nodiscard]] constexpr index_t points_of_chunk(index_t points, int chunks, int grain) {
  constexpr index_t tiles = 1056;  // eight for each of the 132 multiprocessors of an H200
  const index_t even = ceiling_quotient(points, tiles * chunks);
  return (even < 8 ? index_t{8} : even) * grain;
}

/// Whether the vectors of a reduce_by_key can be added up by many threads.
template <typename E>
inline constexpr bool is_vector_combinable_v = [] {
  using T = typename E::value_type::value_type;
  return std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
         takes_any_vectors<decltype(E::op), T>;
}();

/// The i-th run's vector into destination[i], or into a flat destination without gaps.
/// block_size_x threads take coordinates, block_size_y chunks of points; level 1's grain_size
/// multiplies a chunk's points. InOrder: one chunk of all points.
template <typename Policy, bool InOrder, typename E, typename D>
void run_vector_reduce_by_key(const platform::cuda& on, const computation& named, const E& e,
                              const D& destination) {
  using T = typename E::value_type::value_type;
  using partial = partial_value<coordinate_operator<decltype(e.op), T>, T>;
  static_assert(
      is_vector_combinable_v<E>,
      "execute: reduce_by_key > map on platform::cuda needs an operator that takes any two "
      "sequences (templates or auto parameters) and elements that are trivially copyable");
  constexpr policy p = Policy::value;
  constexpr int chunks = p.block_size_y;
  constexpr int columns = 32;
  constexpr int combined_parts = 8;
  const index_t points = e.size();
  const index_t width = e.seed.size();
  if (points == 0 || width == 0) return;
  const index_t length = InOrder ? points : points_of_chunk(points, chunks, p.level[0].grain_size);
  const index_t tiles = ceiling_quotient(points, length * chunks);
  const workspace<tile_runs> runs(on, named, tiles);
  const workspace<partial> firsts(on, named, tiles * width);
  const workspace<partial> lasts(on, named, tiles * width);
  const workspace<bool> ends_older(on, named, tiles);
  const auto grid_x = static_cast<unsigned>(tiles);
  const auto blocks_across = [&](int threads) {
    return static_cast<unsigned>(ceiling_quotient(width, threads));
  };
  constexpr int count_threads = 256;
  launch(named, on.stream, dim3(grid_x), dim3(count_threads), 0,
         count_runs_kernel<count_threads, decltype(e.keys)>, e.keys, length * chunks, runs.data());
  constexpr int sum_threads = 512;
  launch(named, on.stream, dim3(1), dim3(sum_threads), 0, sum_runs_kernel<sum_threads>, tiles,
         runs.data());
  launch(named, on.stream, dim3(grid_x, blocks_across(p.block_size_x)), block_of<Policy>(), 0,
         walk_tiles_kernel<Policy, E, D, partial>, e, destination, length, runs.data(),
         firsts.data(), lasts.data(), ends_older.data());
  if (tiles > 1) {
    launch(named, on.stream, dim3(grid_x, blocks_across(columns)), dim3(columns, combined_parts), 0,
           combine_tiles_kernel<columns, combined_parts, E, D, partial>, e, destination,
           runs.data(), firsts.data(), lasts.data(), ends_older.data());
  }
}

}  // namespace fettle::ndp::cuda::detail
