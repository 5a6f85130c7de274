// long_rows: rows that are too long for the lanes that they got. A first kernel lists them; a
// second one, which is on its way while the first runs, gives each as many lanes as it needs, and
// takes very long ones in pieces (row_pieces.cuh).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/row_pieces.cuh>
#include <fettle/ndp/cuda/rows/row_policies.hpp>
#include <fettle/ndp/cuda/runtime/launch_early.cuh>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// How many rows are listed is the stream's second tally (arrival_counter.cuh).
template <typename Partial>
struct long_row_list {
  cut_row_list<Partial> cut{};
  unsigned* rows = nullptr;
  unsigned capacity = 0;  // none: no row is left

  /// By one thread. False where there is no room for row i, of `size` atoms.
  template <typename E>
  [[nodiscard]] __device__ bool add(const E& e, index_t i, index_t size) const {
    if (capacity == 0) return false;
    if (size > adaptive_rows_plan::very_long_of_warp) {
      const auto& shape = outer_shape(e);
      if (cut.add({i, shape.row_begin(i), shape.row_begin(i + 1)}, size)) return true;
    }
    const unsigned at = atomicAdd(cut.counter.second_tally(), 1U);
    if (at >= capacity) return false;
    rows[at] = static_cast<unsigned>(i);
    return true;
  }
};

/// Listed rows [0, count) by the warps of all blocks: four at once, eight lanes each; or one, where
/// it is long.
template <typename E, typename D>
__device__ void reduce_long_rows(const E& e, const D& destination, const unsigned* rows,
                                 unsigned count) {
  using eight = warp_resource<8>;
  using warp = warp_resource<32>;
  constexpr unsigned at_once = warp::size / eight::size;
  constexpr int all = warp::size;
  constexpr index_t most_of_eight = 256;
  const unsigned number = (blockIdx.x * blockDim.x + threadIdx.x) / all;
  const unsigned step = gridDim.x * blockDim.x / all * at_once;
  for (unsigned base = number * at_once; base < count; base += step) {
    const unsigned own = base + static_cast<unsigned>(warp::rank()) / eight::size;
    index_t i = -1;
    bool is_long = false;
    if (own < count) {
      i = rows[own];
      is_long = e[i].source.size() > most_of_eight;
      if (!is_long) realise_row<plain_policy, 0, eight>(e, destination, i);
    }
    unsigned long_ones = __ballot_sync(warp::mask(), is_long && eight::rank() == 0);
    for (; long_ones != 0; long_ones &= long_ones - 1) {
      const index_t one = warp::from_lane(i, __ffs(static_cast<int>(long_ones)) - 1);
      realise_row<plain_policy, 0, warp>(e, destination, one);
    }
  }
}

template <int Threads, typename E, typename D, typename Partial>
__global__ __launch_bounds__(Threads) void long_rows_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, bool same_rows,
    const __grid_constant__ long_row_list<Partial> list) {
  wait_for_kernel_before();
  const arrivals& counter = list.cut.counter;
  const unsigned long long tally = *counter.tally();
  const unsigned listed = *counter.second_tally();
  if (tally == 0 && listed == 0) return;
  reduce_pieces<Threads>(e, destination, same_rows, list.cut, tally);
  reduce_long_rows(e, destination, list.rows, listed < list.capacity ? listed : list.capacity);
  if (threadIdx.x == 0 && counter.is_last(gridDim.x)) {
    *counter.tally() = 0;
    *counter.second_tally() = 0;
  }
}

}  // namespace fettle::ndp::cuda::detail
