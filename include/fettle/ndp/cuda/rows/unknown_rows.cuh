// unknown_rows: map > reduce over rows whose lengths only the GPU can tell, as those that a
// function makes of an index: a thread for each short row, and eight lanes for each long one.
//
// Each warp looks first at the lengths of its rows and at where they begin. Threads that walk rows
// that begin far apart read far apart; lanes that share a row in the order of memory do not.
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/row_distance.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements from which lanes share a row. On an H100, 67 million floats in rows of 32 take 272 us
/// with a thread each and 102 us with eight lanes each; in rows of 24, 115 and 111.
inline constexpr index_t least_of_shared_row = 32;
/// Bytes between the beginnings of neighbouring rows from which threads that walk them read
/// different sectors.
inline constexpr long long far_apart = 32;

/// The rows of a warp whose bits are set, a row for each eight of its lanes at a time.
template <typename Policy, typename E, typename D>
__device__ void realise_by_eighths(const E& e, const D& destination, index_t first, unsigned rows) {
  using lanes = warp_resource<8>;
  constexpr int at_once = warp_resource<32>::size / lanes::size;
  const auto drop = [&rows](int count) {
    for (int k = 0; k < count; ++k) rows &= rows - 1;
  };
  drop(lanes::index_in_block() % at_once);
  for (; rows != 0; drop(at_once)) {
    realise_row<Policy, 0, lanes>(e, destination, first + __ffs(static_cast<int>(rows)) - 1);
  }
}

template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void unknown_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  using warp = warp_resource<32>;
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  index_t first = index_t{blockIdx.x} * threads_v<Policy> + warp::index_in_block() * warp::size;
  for (; first < count; first += stride) {
    const index_t own = first + warp::rank();
    const auto row = e[own < count ? own : count - 1];
    unsigned shared =
        __ballot_sync(warp::mask(), own < count && row.source.size() >= least_of_shared_row);
    if (shared != 0 && !__any_sync(warp::mask(), bytes_to_next(row.source) >= far_apart)) {
      shared = 0;
    }
    if (own < count && (shared >> warp::rank() & 1U) == 0) {
      realise_element<Policy, 0>(e, destination, own);
    }
    warp::wait();
    realise_by_eighths<Policy>(e, destination, first, shared);
    warp::wait();
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
