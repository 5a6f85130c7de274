// rows_by_rounds: map > reduce in order over long rows, a block a row: each of its warps has a part
// of the row and takes it round by round (fold_rounds.hpp).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/fold_rounds.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Mean length from which rounds are faster than a part of the row for each thread. On an H200,
/// rows of 1000 took 1.0 to 1.5 times as long, rows of 8000 0.3 to 0.65 times.
inline constexpr index_t least_mean_of_rounds = 3000;

template <int Threads, typename E, typename D>
__global__ __launch_bounds__(Threads) void rows_by_rounds_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t rows) {
  using block = block_resource<Threads, 1>;
  using warp = warp_resource<32>;
  using row = typename E::value_type;
  using T = typename row::value_type;
  for (index_t i = blockIdx.x; i < rows; i += gridDim.x) {
    const row its = e[i];
    const auto sum = block::combine(
        its.op, fold_part_of_warp<warp, decltype(its.op), T>(
                    its.op, its.source, 0, its.source.size(), block::rank() / 32, Threads / 32));
    if (block::rank() == 0) {
      auto value = partial_value<decltype(its.op), T>::of(static_cast<T>(its.seed));
      value.append(its.op, sum);
      store(destination[i], value.value);
    }
  }
}

template <typename E, typename D>
void run_rows_by_rounds(const platform::cuda& on, const computation& named, const E& e,
                        const D& destination) {
  constexpr int threads = 256;
  launch(named, on.stream, dim3(blocks_for(e.size(), 1)), dim3(threads), 0,
         rows_by_rounds_kernel<threads, E, D>, e, destination, e.size());
}

}  // namespace fettle::ndp::cuda::detail
