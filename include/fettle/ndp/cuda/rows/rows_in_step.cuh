// rows_in_step: map > reduce over many rows that a thread each walks, several rows a thread, an
// element of each at a time. What rows have in common, such as the weights of windows, is read once
// for all of them, and the sums of different rows do not wait for each other.
//
// For rows of numbers in the order of memory. Each warp looks first whether its rows are alike and
// short or begin side by side; others are done as unknown_rows.cuh does.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/rows/row_distance.cuh>
#include <fettle/ndp/cuda/rows/unknown_rows.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Threads that a multiprocessor has at least where rows are several a thread.
inline constexpr index_t threads_in_step = 1536;

/// Whether the sum of one `Row` is all that a thread has to keep of it.
template <typename Row>
inline constexpr bool suits_steps_v =
    read_in_order<decltype(Row::source)> && staged_loads_of_row_v<Row> == 0;

/// Rows first + Ks * apart, of `size` elements each, by the calling thread.
template <typename E, typename D, std::size_t... Ks>
__device__ void reduce_in_step(const E& e, const D& destination, index_t first, index_t apart,
                               index_t size, std::index_sequence<Ks...> /*rows*/) {
  using row = typename E::value_type;
  using T = typename row::value_type;
  const row rows[] = {e[first + static_cast<index_t>(Ks) * apart]...};
  T sums[] = {static_cast<T>(rows[Ks].seed)...};
#pragma unroll 4
  for (index_t j = 0; j < size; ++j) {
    ((sums[Ks] = static_cast<T>(rows[Ks].op(sums[Ks], rows[Ks].source[j]))), ...);
  }
  (store(destination[first + static_cast<index_t>(Ks) * apart], sums[Ks]), ...);
}

/// The size of the calling lane's rows, first + lane, first + lane + 32, ..., where a thread may
/// walk them in step; -1 where another way is better, or they differ. By all lanes of a warp.
template <int Rows, typename E>
[[nodiscard]] __device__ index_t size_in_step(const E& e, index_t first) {
  using warp = warp_resource<32>;
  using elements = decltype(E::value_type::source);
  const auto row = e[first + warp::rank()];
  const index_t size = row.source.size();
  bool alike = size < least_of_warp_row;
#pragma unroll
  for (int k = 1; k < Rows; ++k) {
    alike = alike && e[first + warp::rank() + k * warp::size].source.size() == size;
  }
  constexpr index_t least = packet_size_v<elements> >= 4
                                ? least_bytes_of_packets / leaf_bytes_v<elements>
                                : least_of_shared_row;
  const bool is_far = bytes_to_next(row.source) >= far_apart;
  const bool is_shared =
      __any_sync(warp::mask(), is_far) && __any_sync(warp::mask(), size >= least);
  return __all_sync(warp::mask(), alike && !is_shared) ? size : -1;
}

template <typename Policy, int Rows, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void rows_in_step_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  using warp = warp_resource<32>;
  constexpr index_t rows_of_warp = index_t{Rows} * warp::size;
  constexpr index_t warps = threads_v<Policy> / warp::size;
  const index_t stride = gridDim.x * warps * rows_of_warp;
  index_t first = (blockIdx.x * warps + warp::index_in_block()) * rows_of_warp;
  for (; first < count; first += stride) {
    const index_t size = first + rows_of_warp <= count ? size_in_step<Rows>(e, first) : -1;
    if (size >= 0) {
      reduce_in_step(e, destination, first + warp::rank(), warp::size, size,
                     std::make_index_sequence<std::size_t{Rows}>{});
    } else {
#pragma unroll 1
      for (index_t k = first; k < first + rows_of_warp && k < count; k += warp::size) {
        realise_rows_of_warp<Policy, true>(e, destination, k, count);
      }
    }
  }
}

/// Rows of a thread that leave enough threads; 1: none but its own.
[[nodiscard]] constexpr int rows_of_thread(index_t rows, int multiprocessors) noexcept {
  const index_t each = rows / (threads_in_step * multiprocessors);
  return each >= 4 ? 4 : each >= 2 ? 2 : 1;
}

template <typename Policy, int Rows, typename E, typename D>
void run_rows_in_step(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination) {
  const index_t count = e.size();
  launch(named, on.stream, dim3(blocks_for(count, index_t{threads_v<Policy>} * Rows)),
         block_of<Policy>(), 0, rows_in_step_kernel<Policy, Rows, E, D>, e, destination, count);
}

}  // namespace fettle::ndp::cuda::detail
