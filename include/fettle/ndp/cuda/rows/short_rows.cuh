// short_rows: map > reduce with a thread a row and the rows' atoms staged through shared memory.
//
// What independent > sequential does where the block is the resource of level 1
// (.level = {.first = {.resource = execution_resource::block}}): a block as a whole takes
// consecutive rows. With resource thread or automatic each thread reads its row by itself. The
// backend's dispatch therefore reads: on a map > reduce with has_flat_rows<E>, schedule
// independent<sequential<>> (or independent<>), is_combinable_v of the row's reduction,
// fits_short_rows_v and level[0].resource == block -> short_rows(on, which, e, destination,
// policy).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_block.cuh>
#include <fettle/ndp/cuda/flattened/tile_records.cuh>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/policy/staged_rows.hpp>
#include <fettle/ndp/cuda/rows/short_rows_block.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <int Threads, int Tile, int Grain, typename E, typename D>
__global__ __launch_bounds__(Threads) void short_rows_kernel(const __grid_constant__ E e,
                                                             const __grid_constant__ D destination,
                                                             index_t rows, bool same_rows) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using operator_type = decltype(reduction::op);
  using block_of_rows = short_rows_block<value_type, Threads, Tile>;
  __shared__ typename block_of_rows::memory shared;

  const int thread = static_cast<int>(threadIdx.x);
  const auto& shape = outer_shape(e);
  for (int group = 0; group < Grain; ++group) {
    const index_t first_row = (index_t{blockIdx.x} * Grain + group) * Threads;
    if (first_row >= rows) return;
    const typename block_of_rows::bounds block{
        first_row, rows - first_row < Threads ? static_cast<int>(rows - first_row) : Threads};
    block_of_rows::place_rows(shared, block, shape, thread);
    __syncthreads();
    // A thread without a row helps to evaluate those of others.
    const row_extent extent =
        block_of_rows::extent_of(shared, block, thread < block.rows ? thread : block.rows - 1);
    const operator_type op =
        operator_of<reduction>([&] { return row_of_block(e, extent, same_rows); });
    auto sum = partial_value<operator_type, value_type>::none();
    const index_t end = shared.row_begin[block.rows];
    for (index_t tile = shared.row_begin[0]; tile < end; tile += Tile) {
      block_of_rows::mark(shared, block, tile, thread);
      __syncthreads();
      if (same_rows) {
        block_of_rows::template evaluate<true>(shared, block, e, tile, thread);
      } else {
        block_of_rows::template evaluate<false>(shared, block, e, tile, thread);
      }
      __syncthreads();
      block_of_rows::reduce(shared, block, tile, thread, op, sum);
    }
    if (thread < block.rows) {
      store_row(row_of_block(e, extent, same_rows), extent, destination, sum);
    }
    __syncthreads();
  }
}

/// Whether a block's tile of the row's values fits its shared memory.
template <typename E>
inline constexpr bool fits_short_rows_v =
    sizeof(typename E::value_type::value_type) <= staged_value_bytes;

/// Realises a map > reduce over contiguous rows into destination[i]. Fast for rows of a few atoms,
/// correct but slow for longer ones. block_size_x and _y give the threads of a
/// block, which takes level 1's grain_size times as many rows.
template <has_flat_rows E, random_access D, constant_policy Policy>
  requires fits_short_rows_v<E>
void short_rows(const platform::cuda& on, const computation& named, const E& e,
                const D& destination, Policy /*policy*/) {
  using reduction = typename E::value_type;
  static_assert(is_combinable_v<reduction>,
                "execute: reduce at level 2 cannot be staged by blocks: its elements have to be "
                "values of the type that its operator yields; use resource=thread on level 1");
  constexpr int threads = Policy::value.block_size_x * Policy::value.block_size_y;
  constexpr int tile = short_rows_tile(threads, sizeof(typename reduction::value_type));
  constexpr int grain = Policy::value.level[0].grain_size;
  const index_t rows = e.size();
  const index_t blocks = ceiling_quotient(rows, index_t{threads} * grain);
  launch(named, on.stream, dim3(static_cast<unsigned>(blocks)), dim3(threads), 0,
         short_rows_kernel<threads, tile, grain, E, D>, e, destination, rows, have_same_rows(e));
}

}  // namespace fettle::ndp::cuda::detail
