// columns: map > reduce over the columns of a matrix, in the order of memory.
//
// A warp takes an element of 32 neighbouring columns at a time. A block has eight warps, each with
// its run of the columns' elements, whose sums it combines in order; where there are too few
// columns to keep the GPU busy, several blocks share them, and a second kernel combines theirs.
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/rows/row_chunk.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/columns.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int columns_of_block = 32;
inline constexpr int warps_of_columns = 8;

/// A map > reduce of columns, with partial results that a block has the room for.
template <typename E>
concept reduces_columns =
    map_of_reductions<E> && ndp::detail::reads_columns_v<E> && is_combinable_v<element_of_t<E>> &&
    sizeof(typename element_of_t<E>::value_type) <= 64;

/// The column's value from what its elements make.
template <typename R, typename D, typename Partial>
__device__ void store_column(const R& r, const D& destination, index_t column, const Partial& sum) {
  auto value = Partial::of(static_cast<typename R::value_type>(r.seed));
  value.append(r.op, sum);
  store(destination[column], value.value);
}

/// Chunk blockIdx.y of `chunks` of 32 columns; into `sums`, or where it is the only one into the
/// destination.
template <typename E, typename D, typename Partial>
__global__ __launch_bounds__(columns_of_block* warps_of_columns) void columns_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t columns,
    index_t chunks, Partial* sums) {
  allow_next_kernel();
  __shared__ alignas(
      Partial) unsigned char bytes[sizeof(Partial) * columns_of_block * warps_of_columns];
  auto* const of_warps = reinterpret_cast<Partial*>(bytes);
  const int lane = static_cast<int>(threadIdx.x);
  const int warp = static_cast<int>(threadIdx.y);
  const index_t column = index_t{blockIdx.x} * columns_of_block + lane;
  using reduction = element_of_t<E>;
  using operator_type = decltype(reduction::op);
  using value_type = typename reduction::value_type;
  if (column < columns) {
    const auto r = e[column];
    const row_chunk own = row_chunk::of(
        r.source.size(), index_t{blockIdx.y} * warps_of_columns + warp, chunks * warps_of_columns);
    of_warps[warp * columns_of_block + lane] =
        partial_of<operator_type, value_type>(r.op, r.source, own.begin, own.end, 1);
  }
  __syncthreads();
  if (warp != 0 || column >= columns) return;
  const auto r = e[column];
  Partial sum = of_warps[lane];
#pragma unroll
  for (int k = 1; k < warps_of_columns; ++k) {
    sum.append(r.op, of_warps[k * columns_of_block + lane]);
  }
  if (chunks == 1) {
    store_column(r, destination, column, sum);
  } else {
    sums[index_t{blockIdx.y} * columns + column] = sum;
  }
}

/// The sums of `chunks` chunks of each column, in order: of a run of them by each of blockDim.y
/// warps, Warps at most.
template <int Warps, typename E, typename D, typename Partial>
__global__ __launch_bounds__(columns_of_block* Warps) void combine_columns_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t columns,
    index_t chunks, const Partial* sums) {
  __shared__ alignas(Partial) unsigned char bytes[sizeof(Partial) * columns_of_block * Warps];
  auto* const of_warps = reinterpret_cast<Partial*>(bytes);
  const int lane = static_cast<int>(threadIdx.x);
  const int warp = static_cast<int>(threadIdx.y);
  const int warps = static_cast<int>(blockDim.y);
  const index_t column = index_t{blockIdx.x} * columns_of_block + lane;
  wait_for_kernel_before();
  if (column < columns) {
    const auto r = e[column];
    const row_chunk own = row_chunk::of(chunks, warp, warps);
    Partial sum = Partial::none();
#pragma unroll 8
    for (index_t k = own.begin; k < own.end; ++k) sum.append(r.op, sums[k * columns + column]);
    of_warps[warp * columns_of_block + lane] = sum;
  }
  __syncthreads();
  if (warp != 0 || column >= columns) return;
  const auto r = e[column];
  Partial sum = of_warps[lane];
  for (int k = 1; k < warps; ++k) sum.append(r.op, of_warps[k * columns_of_block + lane]);
  store_column(r, destination, column, sum);
}

/// Realises a map > reduce of columns into destination[j], for any associative operator.
template <reduces_columns E, typename D>
void reduce_columns(const platform::cuda& on, const computation& named, const E& e,
                    const D& destination) {
  using reduction = element_of_t<E>;
  using partial = partial_value<decltype(reduction::op), typename reduction::value_type>;
  constexpr index_t threads_of_a_multiprocessor = 2048;
  constexpr int most_warps = sizeof(partial) <= 32 ? 32 : 16;  // that have room for their sums
  const index_t columns = e.size();
  if (columns == 0) return;
  const index_t at_once = threads_of_a_multiprocessor * current_device_facts(named).multiprocessors;
  const index_t chunks = chunks_of_columns(columns, ndp::detail::length_of_columns(e),
                                           columns_of_block, warps_of_columns, at_once);
  const workspace<partial> sums(on, named, chunks > 1 ? chunks * columns : 0);
  const dim3 grid(blocks_for(columns, columns_of_block), static_cast<unsigned>(chunks));
  launch(named, on.stream, grid, dim3(columns_of_block, warps_of_columns), 0,
         columns_kernel<E, D, partial>, e, destination, columns, chunks, sums.data());
  if (chunks == 1) return;
  const auto warps = static_cast<unsigned>(chunks < most_warps ? chunks : most_warps);
  launch_early(named, on.stream, dim3(blocks_for(columns, columns_of_block)),
               dim3(columns_of_block, warps), combine_columns_kernel<most_warps, E, D, partial>, e,
               destination, columns, chunks, sums.data());
}

}  // namespace fettle::ndp::cuda::detail
