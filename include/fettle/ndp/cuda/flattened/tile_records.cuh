// The carries of rows that tile boundaries cut, and how the block that is done last
// combines it.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What a block has of the first row that ends in its tile, where that row began in an earlier
/// one, and of the row that goes on after its tile.
template <typename T>
struct tile_record {
  index_t row;      // that ends here and began earlier; -1: there is none
  bool head_there;  // some of its atoms are in this tile
  T head;
  T tail;
};

/// destination[row] = the seed, then the sum of the row's atoms.
template <typename R, typename D, typename Partial>
__device__ void store_row(const R& r, const row_extent& extent, const D& destination,
                          const Partial& sum) {
  using value_type = typename R::value_type;
  if (!covers_row(r, extent)) {
    store(destination[extent.row], r.evaluate());
  } else if (extent.size() == 0) {
    store(destination[extent.row], static_cast<value_type>(r.seed));
  } else {
    store(destination[extent.row],
          static_cast<value_type>(r.op(static_cast<value_type>(r.seed), sum.value)));
  }
}

/// The carries of a row in tiles [first, last), in order; then the next such range.
template <typename Partial, typename Op, typename T>
__device__ void add_tails(Partial& sum, const Op& op, const tile_record<T>* records, index_t first,
                          index_t last) {
#pragma unroll 4
  for (index_t i = first; i < last; ++i) sum.append(op, records[i].tail);
}

/// What the threads of a block need in shared memory to combine records.
template <int Threads, typename Partial>
struct combine_memory {
  alignas(Partial) unsigned char part_bytes[std::size_t{Threads} * sizeof(Partial)];
  unsigned long_rows[std::size_t{Threads} / 32];

  [[nodiscard]] __device__ Partial* carries() { return reinterpret_cast<Partial*>(part_bytes); }
};

/// By all threads of a block, for Threads tiles from `first_tile` on: a thread for each tile
/// that ends a row which began in an earlier one; where the row goes over many tiles, the block
/// for it.
template <int Threads, typename E, typename D, typename Partial, typename T>
__device__ void combine_records(const E& e, const D& destination, index_t rows, index_t tile_steps,
                                index_t first_tile, const tile_record<T>* records,
                                combine_memory<Threads, Partial>& shared) {
  static_assert((Threads & (Threads - 1)) == 0, "halves are combined with halves");
  constexpr index_t few = 32;
  const int thread = static_cast<int>(threadIdx.x);
  const auto& shape = outer_shape(e);
  const index_t base = shape.row_begin(0);
  const index_t tiles = ceiling_quotient(rows + shape.row_begin(rows) - base, tile_steps);
  const auto extent_of = [&](index_t row) {
    return row_extent{row, shape.row_begin(row), shape.row_begin(row + 1)};
  };
  const auto tile_of = [&](const row_extent& extent) {
    return first_step_of(extent.row, extent.begin - base) / tile_steps;
  };

  const index_t tile = first_tile + thread;
  const index_t row = tile < tiles ? records[tile].row : index_t{-1};
  bool is_long = false;
  if (row >= 0) {
    const row_extent extent = extent_of(row);
    const index_t first = tile_of(extent);
    is_long = tile - first > few;
    if (!is_long) {
      const auto r = row_at<false>(e, extent);
      Partial sum = Partial::none();
      add_tails(sum, r.op, records, first, tile);
      if (records[tile].head_there) sum.append(r.op, records[tile].head);
      store_row(r, extent, destination, sum);
    }
  }
  const unsigned long_lanes = __ballot_sync(0xFFFFFFFFU, is_long);
  if (thread % 32 == 0) shared.long_rows[thread / 32] = long_lanes;
  __syncthreads();
  for (int warp = 0; warp < Threads / 32; ++warp) {
    for (unsigned lanes = shared.long_rows[warp]; lanes != 0; lanes &= lanes - 1) {
      const index_t last = first_tile + warp * 32 + __ffs(static_cast<int>(lanes)) - 1;
      const row_extent extent = extent_of(records[last].row);
      const index_t first = tile_of(extent);
      const auto r = row_at<false>(e, extent);
      Partial sum = Partial::none();
      add_tails(sum, r.op, records, first + (last - first) * thread / Threads,
                first + (last - first) * (thread + 1) / Threads);
      shared.carries()[thread] = sum;
      for (int distance = 1; distance < Threads; distance *= 2) {
        __syncthreads();
        if (thread % (2 * distance) == 0) {
          shared.carries()[thread] =
              joined(r.op, shared.carries()[thread], shared.carries()[thread + distance]);
        }
      }
      if (thread == 0) {
        sum = shared.carries()[0];
        if (records[last].head_there) sum.append(r.op, records[last].head);
        store_row(r, extent, destination, sum);
      }
      __syncthreads();
    }
  }
  __syncthreads();  // before the next tiles' rows are noted
}

}  // namespace fettle::ndp::cuda::detail
