// tiled_runs: reduce_by_key and runs_by_key of values by three kernels.
//
// Elements are cut in as many tiles as keep the GPU busy, a block each. One kernel counts the runs
// that begin in each tile; the next, in which threads take consecutive elements, writes the runs
// that lie in one tile; the last combines the others, a warp for each tile in which a run ends that
// began before it. In order, and the same in every run.
//
// CUB does this in one kernel, but passes values wider than 8 bytes from block to block by two
// accesses: for totals of 24 bytes it took eight times as long as their loads.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/rows/lane_group.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/run_items.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/counted.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The partial results of a tile for the runs that begin before it or end behind it.
template <typename Partial>
struct tile_ends {
  Partial first;      // the tile's elements of the run that begins before it and ends in it
  index_t first_run;  // the number of that run; -1: no run begins before the tile and ends in it
  index_t first_end;  // the index of the element behind that run
  Partial last;       // the tile's elements of the run that goes on behind it: all, if none begins
};

template <typename K>
__global__ __launch_bounds__(runs_threads) void count_tile_runs_kernel(
    const __grid_constant__ K keys, index_t tile_length, index_t* counts) {
  __shared__ sum_of_runs::TempStorage shared;
  allow_next_kernel();
  const run_chunk tile = run_chunk::of(blockIdx.x, tile_length, keys.size());
  index_t runs = 0;
  const bool aligned = has_aligned_items(keys);
#pragma unroll 2
  for (index_t first = tile.begin + index_t{threadIdx.x} * runs_items; first < tile.end;
       first += runs_step) {
    runs += __popc(begins_among(keys, first, items_until(first, tile.end), aligned));
  }
  runs = sum_of_runs(shared).Sum(runs);
  if (threadIdx.x == 0) counts[blockIdx.x] = runs;
}

template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(runs_threads) void walk_tile_runs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t tile_length,
    const index_t* counts, tile_ends<Partial>* ends) {
  using T = typename E::sum_type;
  using operator_type = decltype(E::op);
  using carry = segmented_carry<operator_type, T, runs_threads>;
  __shared__ typename carry::memory carry_shared;
  __shared__ sum_of_runs::TempStorage sum_shared;
  __shared__ scan_of_begun::TempStorage begun_shared;
  __shared__ index_t shared_runs;
  __shared__ alignas(Partial) unsigned char open_bytes[sizeof(Partial)];
  auto& shared_open = *reinterpret_cast<Partial*>(open_bytes);

  allow_next_kernel();
  wait_for_kernel_before();
  const int thread = static_cast<int>(threadIdx.x);
  const index_t number = blockIdx.x;
  const run_chunk tile = run_chunk::of(number, tile_length, e.size());
  index_t runs = 0;  // that begin before the step
  for (index_t t = thread; t < number; t += runs_threads) runs += counts[t];
  runs = sum_of_runs(sum_shared).Sum(runs);
  if (thread == 0) {
    shared_runs = runs;
    ends[number].first_run = -1;
  }
  __syncthreads();
  runs = shared_runs;
  const index_t runs_before = runs;
  Partial open = Partial::none();  // of the run that is open before the step, of this tile

  // The run that ends in front of element `end`, by one thread.
  const auto end_run = [&](index_t run, index_t end, const Partial& sum) {
    if (run >= runs_before) {
      store_run(e, destination, run, end, sum.value);
    } else if (run >= 0) {
      ends[number].first = sum;
      ends[number].first_run = run;
      ends[number].first_end = end;
    }
  };
  const bool keys_aligned = has_aligned_items(e.keys);
  const bool values_aligned = has_aligned_items(e.source);
  for (index_t base = tile.begin; base < tile.end; base += runs_step) {
    const index_t first = base + index_t{thread} * runs_items;
    const int count = items_until(first, tile.end);
    const unsigned begins = begins_among(e.keys, first, count, keys_aligned);
    T values[runs_items];
    read_items(e.source, first, count, values_aligned, values);
    int begun_before = 0;  // by the threads before this one
    int begun = 0;         // by all
    scan_of_begun(begun_shared).ExclusiveSum(__popc(begins), begun_before, begun);
    index_t next_run = runs + begun_before;  // the number of the run that begins next
    Partial head = Partial::none();
    index_t head_end = -1;  // the element in front of which the first run ends here
    const Partial sum =
        walk_items<Partial>(e.op, values, count, begins, [&](int j, const Partial& ended) {
          if (head_end < 0) {
            head = ended;
            head_end = first + j;
          } else {
            store_run(e, destination, next_run - 1, first + j, ended.value);
          }
          ++next_run;
        });
    const carry handed = carry::over_block(carry_shared, thread, head_end >= 0, sum, e.op);
    if (head_end >= 0) {
      Partial ended = handed.before;
      if (begun_before == 0) ended = joined(e.op, open, ended);
      end_run(runs + begun_before - 1, head_end, joined(e.op, ended, head));
    }
    if (thread == runs_threads - 1) {
      shared_open = begun > 0 ? handed.all : joined(e.op, open, handed.all);
    }
    __syncthreads();
    open = shared_open;
    runs += begun;
    __syncthreads();
  }
  if (thread != 0) return;
  if (tile.ends_all()) {
    end_run(runs - 1, tile.end, open);
    if constexpr (is_counted_v<D>) {
      destination.results[0] =
          static_cast<typename decltype(destination.results)::value_type>(runs);
    }
  }
  ends[number].last = open;
}

/// A warp for each tile: the run that ends in it and began in an earlier one.
template <int Threads, typename E, typename D, typename Partial>
__global__ __launch_bounds__(Threads) void combine_tile_runs_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t tiles,
    const index_t* counts, const tile_ends<Partial>* ends) {
  wait_for_kernel_before();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const index_t tile = (index_t{blockIdx.x} * Threads + threadIdx.x) / 32;
  if (tile >= tiles) return;
  const index_t run = ends[tile].first_run;
  if (run < 0) return;
  // The last tile before this one in which a run begins.
  index_t opened = 0;
  for (index_t behind = tile; behind > 0; behind -= 32) {
    const index_t t = behind - 1 - lane;
    const unsigned found = __ballot_sync(0xFFFFFFFFU, t >= 0 && counts[t] > 0);
    if (found != 0) {
      opened = behind - __ffs(static_cast<int>(found));
      break;
    }
  }
  const index_t each = ceiling_quotient(tile - opened, index_t{32});
  const index_t begin = opened + lane * each;
  const index_t end = begin + each < tile ? begin + each : tile;
  Partial sum = Partial::none();
  for (index_t t = begin; t < end; ++t) sum.append(e.op, read_partial(ends[t].last));
  sum = lane_group::of(lane, 32).combine(e.op, sum);
  if (lane != 0) return;
  sum.append(e.op, read_partial(ends[tile].first));
  store_run(e, destination, run, ends[tile].first_end, sum.value);
}

/// The i-th run's value into destination[i]; at least one element.
template <typename E, typename D>
void run_tiled_runs(const platform::cuda& on, const computation& named, const E& e,
                    const D& destination) {
  using partial = partial_value<decltype(e.op), typename E::sum_type>;
  const index_t length = length_of_run_tiles(e.size(), current_device_facts(named).multiprocessors);
  const index_t tiles = ceiling_quotient(e.size(), length);
  const workspace<index_t> counts(on, named, tiles);
  const workspace<tile_ends<partial>> ends(on, named, tiles);
  const dim3 grid(static_cast<unsigned>(tiles));
  launch(named, on.stream, grid, dim3(runs_threads), 0, count_tile_runs_kernel<decltype(e.keys)>,
         e.keys, length, counts.data());
  launch_early(named, on.stream, grid, dim3(runs_threads), walk_tile_runs_kernel<E, D, partial>, e,
               destination, length, counts.data(), ends.data());
  if (tiles == 1) return;
  constexpr int threads = 128;
  const auto blocks = static_cast<unsigned>(ceiling_quotient(tiles, index_t{threads / 32}));
  launch_early(named, on.stream, dim3(blocks), dim3(threads),
               combine_tile_runs_kernel<threads, E, D, partial>, e, destination, tiles,
               counts.data(), ends.data());
}

}  // namespace fettle::ndp::cuda::detail
