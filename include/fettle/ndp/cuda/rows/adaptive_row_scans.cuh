// adaptive_row_scans: map > scan with a few lanes a row, or one, and the whole block for rows that
// turn out to be longer.
//
// A block takes as many rows as it has groups of `Lanes` lanes. What a group would walk for long is
// left until all groups are done; then the block scans it, row by row. No temporary memory and one
// launch. The time of a row of millions of elements is that of one block: where such rows are to be
// feared, rows are flattened (flattened_scan.cuh).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/policy/scan_block.hpp>
#include <fettle/ndp/cuda/rows/row_scan_kernel.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <int Lanes>
struct lanes_of_row {
  using type = warp_resource<Lanes>;
};
template <>
struct lanes_of_row<1> {
  using type = thread_resource;
};

/// Of a block a row that is scanned: 1024 values at a time. Doubles by the algorithm that was never
/// below 0.92 of the best for rows of 1000 and more.
template <typename T>
using scan_policy = constant<policy{
    .block_size_x = row_scan_threads,
    .level = {.second = {.block_scan_algo = sizeof(T) <= 8 ? block_scan_algorithm::raking_memoize
                                                           : block_scan_algorithm::warp_scans,
                         .block_scan_grain_size = scan_grain_for(row_scan_threads, sizeof(T))}}}>;

/// Of a few lanes a row; a thread reads four elements at a time.
using lanes_scan_policy =
    constant<policy{.block_size_x = row_scan_threads, .level = {.second = {.unroll = 4}}}>;

template <int Lanes, typename E, typename D>
__global__ __launch_bounds__(row_scan_threads) void adaptive_row_scans_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows) {
  using block = block_resource<row_scan_threads, 1>;
  using value_type = typename E::value_type::value_type;
  constexpr int rows_at_once = row_scan_threads / Lanes;
  __shared__ int left;
  __shared__ unsigned char left_row[rows_at_once];

  const int own = static_cast<int>(threadIdx.x) / Lanes;
  const index_t first = index_t{blockIdx.x} * rows_at_once;
  const index_t i = first + own;
  const index_t size = i < rows ? index_t{e[i].size()} : index_t{-1};
  const bool is_long = size > longest_by_lanes(Lanes);
  if (size >= 0 && !is_long) {
    realise_row<lanes_scan_policy, 0, typename lanes_of_row<Lanes>::type>(e, destination, i);
  }
  if (!__syncthreads_or(is_long)) return;
  if (threadIdx.x == 0) left = 0;
  __syncthreads();
  if (is_long && threadIdx.x % Lanes == 0) {
    left_row[atomicAdd(&left, 1)] = static_cast<unsigned char>(own);
  }
  __syncthreads();
  for (int k = 0; k < left; ++k) {
    realise_row<scan_policy<value_type>, 0, block>(e, destination, first + left_row[k]);
    __syncthreads();
  }
}

/// Realises a map > scan into destination.
template <int Lanes, typename E, typename D>
void adaptive_row_scans(const platform::cuda& on, const computation& named, const E& e,
                        const D& destination) {
  const index_t rows = e.size();
  const auto blocks =
      dim3(static_cast<unsigned>(ceiling_quotient(rows, index_t{row_scan_threads / Lanes})));
  launch(named, on.stream, blocks, dim3(row_scan_threads), 0,
         adaptive_row_scans_kernel<Lanes, E, D>, e, destination, rows);
}

}  // namespace fettle::ndp::cuda::detail
