// flattened_reduce_kernel: what a block of flattened_reduce does with its tile.
//
// It writes the rows that begin and end in the tile. Of the row that goes on behind the tile it
// leaves a carry; the row that began before it is finished by the block that is done last, from all
// blocks' records, or by the block in whose tile the row ends, from the carries that earlier blocks
// post (posted_carries.hpp).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/flattened/segmented_carry.cuh>
#include <fettle/ndp/cuda/flattened/tile_records.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A tile of few rows: the block reduces them one after the other, without evaluating atoms into
/// shared memory first. Returns what it has of the row that goes on; right at thread 0.
template <typename Tile, typename Resource, typename Partial, typename E>
[[nodiscard]] __device__ Partial reduce_few_rows(typename Tile::memory& shared,
                                                 const tile_bounds& bounds, const E& e,
                                                 bool same_rows, int thread) {
  using operator_type = decltype(E::value_type::op);
  using value_type = typename E::value_type::value_type;
  Tile::template place_row_ends<false>(shared, bounds, outer_shape(e), thread);
  __syncthreads();
  Partial last = Partial::none();
  for (int i = 0; i <= bounds.rows; ++i) {
    const int begin = i == 0 ? 0 : shared.row_end(bounds, i - 1);
    const int end = i == bounds.rows ? bounds.atoms : shared.row_end(bounds, i);
    last = Partial::none();
    if (begin < end) {
      const row_extent extent = Tile::extent_of(shared, bounds, i);
      const auto r = row_of_block(e, extent, same_rows);
      if (covers_row(r, extent)) {
        const index_t before = bounds.first_atom - extent.begin;
        last = fold<Resource, false, operator_type, value_type>(r.op, r.source, before + begin,
                                                                before + end);
      }
    }
    if (thread == 0 && i < bounds.rows) shared.result(bounds, i) = last.value;
  }
  return last;
}

/// Results of the rows that begin and end in the tile, neighbouring threads at neighbouring rows.
template <typename Tile, int Threads, bool SameRows, typename E, typename D>
__device__ void write_rows(typename Tile::memory& shared, const tile_bounds& bounds, const E& e,
                           const D& destination, int thread) {
  using value_type = typename E::value_type::value_type;
  for (int i = thread; i < bounds.rows; i += Threads) {
    if (i == 0 && bounds.first_row_goes_on()) continue;
    const row_extent extent = Tile::extent_of(shared, bounds, i);
    const auto r = row_at<SameRows>(e, extent);
    store_row(r, extent, destination,
              partial_value<decltype(r.op), value_type>::of(shared.result(bounds, i)));
  }
}

/// The row that ends first in the tile and began in an earlier one: what earlier blocks post of
/// it, in order, then what this block has. By all threads of the block.
template <typename Tile, int Threads, typename Carry, typename E, typename D, typename T>
__device__ void finish_older_row(typename Tile::memory& shared,
                                 typename Carry::memory& carry_shared, const tile_bounds& bounds,
                                 index_t tile_steps, const E& e, bool same_rows,
                                 const D& destination, const posted_carries<T>& carries,
                                 int thread) {
  using partial = typename Carry::partial;
  constexpr index_t few = 4;
  const index_t here = blockIdx.x;
  const index_t first = first_tile_of_row(bounds, here, tile_steps);
  const bool alone = here - first <= few;
  if (alone && thread != Threads - 1) return;
  const row_extent extent = Tile::extent_of(shared, bounds, 0);
  const auto r = row_of_block(e, extent, same_rows);
  partial sum = partial::none();
  if (alone) {
    for (index_t tile = first; tile < here; ++tile) sum.append(r.op, carries.take(tile));
  } else {
    const index_t begin = first + (here - first) * thread / Threads;
    const index_t end = first + (here - first) * (thread + 1) / Threads;
    for (index_t tile = begin; tile < end; ++tile) sum.append(r.op, carries.take(tile));
    sum = Carry::over_block(carry_shared, thread, false, sum, r.op).all;
  }
  if (thread == Threads - 1) {
    if (shared.row_end(bounds, 0) > 0) sum.append(r.op, shared.result(bounds, 0));
    store_row(r, extent, destination, sum);
  }
}

/// All of a tile. With CombineHere, the thread whose number is returned has left the block's
/// record for the rows that tile boundaries cut; without, they are done.
template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
[[nodiscard]] __device__ int reduce_tile(
    const E& e, const D& destination, index_t rows, bool same_rows,
    typename flattened_tile<typename E::value_type::value_type, Threads, Steps>::memory& shared,
    const tile_bounds& bounds, tile_record<typename E::value_type::value_type>* records,
    posted_carries<typename E::value_type::value_type> carries) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using operator_type = decltype(reduction::op);
  using partial = partial_value<operator_type, value_type>;
  using tile = flattened_tile<value_type, Threads, Steps>;
  using carry = segmented_carry<operator_type, value_type, Threads>;
  // In order, threads would read memory at a distance from each other.
  constexpr int few_rows = is_commutative_v<operator_type> ? 3 : -1;

  __shared__ typename carry::memory carry_shared;
  const int thread = static_cast<int>(threadIdx.x);
  partial goes_on = partial::none();
  int recorder = 0;
  if (bounds.rows <= few_rows) {
    if constexpr (few_rows >= 0) {
      goes_on = reduce_few_rows<tile, block_resource<Threads, 1, Algorithm>, partial>(
          shared, bounds, e, same_rows, thread);
    }
  } else {
    const auto op_of = [&](int row) {
      return operator_of<reduction>(
          [&] { return row_of_block(e, tile::extent_of(shared, bounds, row), same_rows); });
    };
    const thread_steps steps = evaluate_tile<tile>(shared, bounds, e, same_rows, thread);
    const auto own = tile::template reduce<operator_type>(shared, steps, thread, op_of);
    const operator_type op = op_of(starting_row(bounds, steps, rows));
    const carry handed = carry::over_block(carry_shared, thread, own.ends_row, own.last, op);
    tile::finish(shared, steps, thread, own, handed.before, op);
    goes_on = handed.all;
    recorder = Threads - 1;
  }
  if constexpr (!CombineHere) {
    if (thread == recorder) carries.post(blockIdx.x, goes_on.value);
  }
  __syncthreads();
  if (same_rows) {
    write_rows<tile, Threads, true>(shared, bounds, e, destination, thread);
  } else {
    write_rows<tile, Threads, false>(shared, bounds, e, destination, thread);
  }
  const bool ends_older = bounds.rows > 0 && bounds.first_row_goes_on();
  if constexpr (!CombineHere) {
    if (ends_older) {
      finish_older_row<tile, Threads, carry>(shared, carry_shared, bounds, index_t{Threads} * Steps,
                                             e, same_rows, destination, carries, thread);
    }
  } else if (thread == recorder && gridDim.x > 1) {
    records[blockIdx.x] = {ends_older ? bounds.first_row : index_t{-1},
                           ends_older && shared.row_end(bounds, 0) > 0,
                           ends_older ? shared.result(bounds, 0) : goes_on.value, goes_on.value};
  }
  return recorder;
}

/// Blocks that a multiprocessor shall have at least, so that some wait for memory while others
/// work.
[[nodiscard]] constexpr int blocks_together(int threads) {
  if constexpr (checked) return 1;  // checks take registers
  const int blocks = 1280 / threads;
  return blocks < 1 ? 1 : blocks > 16 ? 16 : blocks;
}

// With CombineHere, blocks search for their tiles, and the block that is done last combines
// carries; without, the kernel before has searched, and blocks wait for carries.
template <int Threads, int Steps, bool CombineHere, block_reduce_algorithm Algorithm, typename E,
          typename D>
__global__ __launch_bounds__(Threads, blocks_together(Threads)) void flattened_reduce_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows,
    bool same_rows, const tile_edge* edges,
    tile_record<typename E::value_type::value_type>* records,
    posted_carries<typename E::value_type::value_type> carries, arrivals counter) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using partial = partial_value<decltype(reduction::op), value_type>;
  constexpr index_t tile_steps = index_t{Threads} * Steps;
  union memory {
    typename flattened_tile<value_type, Threads, Steps>::memory tile;
    combine_memory<CombineHere ? Threads : 32, partial> combine;
  };
  __shared__ memory shared;

  const int thread = static_cast<int>(threadIdx.x);
  tile_bounds bounds;
  int recorder = 0;
  bool has_tile = false;
  if constexpr (CombineHere) {
    __shared__ tile_edge own_edges[2];
    has_tile = find_tile<Threads>(outer_shape(e), rows, index_t{blockIdx.x} * tile_steps,
                                  static_cast<int>(tile_steps), own_edges, bounds);
  } else {
    wait_for_kernel_before();
    const tile_edge begin = edges[blockIdx.x];
    bounds = bounds_between(begin, edges[blockIdx.x + 1]);
    has_tile = begin.row < rows;
  }
  if (has_tile) {
    recorder = reduce_tile<Threads, Steps, CombineHere, Algorithm>(
        e, destination, rows, same_rows, shared.tile, bounds, records, carries);
  }
  if constexpr (CombineHere) {
    __shared__ bool is_last;
    if (gridDim.x == 1) return;
    if (thread == recorder) is_last = counter.is_last(gridDim.x);
    __syncthreads();
    if (!is_last) return;
    for (index_t first = 0; first < gridDim.x; first += Threads) {
      combine_records<Threads>(e, destination, rows, tile_steps, first, records, shared.combine);
    }
  }
}

}  // namespace fettle::ndp::cuda::detail
