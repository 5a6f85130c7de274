// mixed_rows: map > map over rows of which only the mean length is known: some lanes a row, and the
// whole block for those that turn out to be much longer.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements that a lane takes of a row; of longer rows, each thread of the block takes some.
inline constexpr index_t most_of_mixed_lane = 64;

template <typename Policy, int Lanes, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void mixed_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  constexpr int threads = threads_v<Policy>;
  constexpr int rows = threads / Lanes;
  using lanes = warp_resource<Lanes>;
  using block = block_resource<threads, 1>;
  __shared__ int long_rows;
  __shared__ unsigned short long_row[rows];
  const index_t first = index_t{blockIdx.x} * rows;
  const int own = lanes::index_in_block();
  if (threadIdx.x == 0) long_rows = 0;
  __syncthreads();
  bool is_long = false;
  if (first + own < count) {
    const auto row = e[first + own];
    const index_t size = row.size();
    is_long = size > most_of_mixed_lane * Lanes;
    if (!is_long) {
      realise_by<Policy, 1, lanes>(row, row_destination(e, destination, first + own, size));
    } else if (lanes::rank() == 0) {
      long_row[atomicAdd(&long_rows, 1)] = static_cast<unsigned short>(own);
    }
  }
  if (!__syncthreads_or(is_long)) return;
  for (int k = 0; k < long_rows; ++k) {
    const index_t i = first + long_row[k];
    const auto row = e[i];
    realise_by<Policy, 1, block>(row, row_destination(e, destination, i, row.size()));
  }
}

/// independent>independent of values, `Lanes` lanes a row.
template <typename Policy, int Lanes, typename E, typename D>
void run_mixed_rows(const platform::cuda& on, const computation& named, const E& e,
                    const D& destination) {
  constexpr index_t rows = threads_v<Policy> / Lanes;
  const index_t count = e.size();
  launch(named, on.stream, dim3(static_cast<unsigned>(ceiling_quotient(count, rows))),
         block_of<Policy>(), 0, mixed_rows_kernel<Policy, Lanes, E, D>, e, destination, count);
}

}  // namespace fettle::ndp::cuda::detail
