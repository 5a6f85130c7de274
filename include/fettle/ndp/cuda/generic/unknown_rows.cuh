// unknown_rows: map > reduce over rows whose lengths only the GPU can tell, as those that a
// function makes of an index: a thread for each short row, and a whole warp for each long one.
//
// Each warp looks at the lengths of its rows first. Threads that walk long rows side by side read
// memory that lies far apart; lanes that share a row read what lies side by side.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements from which the lanes of a warp share a row: two for each, or combining costs more.
inline constexpr index_t least_of_shared_row = 64;

template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void unknown_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  using warp = warp_resource<32>;
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  index_t first = index_t{blockIdx.x} * threads_v<Policy> + warp::index_in_block() * warp::size;
  for (; first < count; first += stride) {
    const index_t own = first + warp::rank();
    const bool is_long = own < count && e[own].source.size() >= least_of_shared_row;
    unsigned long_rows = __ballot_sync(warp::mask(), is_long);
    if (own < count && !is_long) realise_element<Policy, 0>(e, destination, own);
    warp::wait();
    for (; long_rows != 0; long_rows &= long_rows - 1) {
      realise_row<Policy, 0, warp>(e, destination, first + __ffs(static_cast<int>(long_rows)) - 1);
    }
  }
}

template <typename Policy, typename E, typename D>
void run_unknown_rows(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination) {
  const index_t count = e.size();
  launch(named, on.stream, dim3(blocks_for(count, threads_v<Policy>)), block_of<Policy>(), 0,
         unknown_rows_kernel<Policy, E, D>, e, destination, count);
}

}  // namespace fettle::ndp::cuda::detail
