// filter, partition and unique by the whole device: CUB's, which keep the order of the elements, or
// for fewer elements one kernel (select_by_posts.cuh).
//
// Results that the destination has no room for are dropped: how many there are is known only when
// the elements have been read. CUB's partition writes the elements that are not kept from the end
// backwards; a second kernel reverses them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <cuda_runtime.h>
#include <limits>
#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/cub_iterator.cuh>
#include <fettle/ndp/cuda/block/output_iterator.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/library_call.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/select_by_posts.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// All results by one thread, in order.
template <typename E, typename D>
__global__ void serial_selection_kernel(const __grid_constant__ E e,
                                        const __grid_constant__ D destination) {
  using T = typename E::value_type;
  const index_t count = e.size();
  index_t kept = 0;
  const auto put = [&](index_t at, const T& x) {
    if (at < destination.size()) store(destination[at], x);
  };
  for (index_t i = 0; i < count; ++i) {
    const auto x = static_cast<T>(e.source[i]);
    if (e.keeps(i, x)) put(kept++, x);
  }
  if constexpr (E::is_partition) {
    index_t at = kept;
    for (index_t i = 0; i < count; ++i) {
      const auto x = static_cast<T>(e.source[i]);
      if (!e.keeps(i, x)) put(at++, x);
    }
  }
  if constexpr (is_counted_v<D>) destination.results[0] = kept;
}

template <typename E, typename D>
void run_selection_serially(const platform::cuda& on, const computation& named, const E& e,
                            const D& destination) {
  launch(named, on.stream, dim3(1), dim3(1), 0, serial_selection_kernel<E, D>, e, destination);
}

/// Pairs of elements that a thread reads before it stores the first one.
template <typename T>
inline constexpr int pairs_in_flight_v = sizeof(T) <= 8    ? 8
                                         : sizeof(T) <= 32 ? 2
                                                           : 1;

/// Reverses the elements of [*kept, count): a block swaps a tile of neighbouring pairs at a time.
template <typename D, typename N>
__global__ void reverse_rest_kernel(const __grid_constant__ D destination, index_t count,
                                    const N* kept) {
  using T = typename D::value_type;
  constexpr int pairs = pairs_in_flight_v<T>;
  const auto first = static_cast<index_t>(*kept);
  const index_t swaps = (count - first) / 2;
  const index_t tile = index_t{pairs} * blockDim.x;
  for (index_t i = blockIdx.x * tile + threadIdx.x; i < swaps; i += gridDim.x * tile) {
    T low[pairs];
    T high[pairs];
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      const index_t at = i + k * blockDim.x;
      if (at < swaps) {
        low[k] = static_cast<T>(destination[first + at]);
        high[k] = static_cast<T>(destination[count - 1 - at]);
      }
    }
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      const index_t at = i + k * blockDim.x;
      if (at < swaps) {
        store(destination[first + at], high[k]);
        store(destination[count - 1 - at], low[k]);
      }
    }
  }
}

/// The selection `e` into `destination` by CUB, and the number of what is kept to *kept.
template <typename E, typename D, typename N>
void select_by_cub(const platform::cuda& on, const computation& named, const E& e,
                   const D& destination, N* kept) {
  using T = typename E::value_type;
  const index_t count = e.size();
#if CUB_VERSION < 200800
  if (count > std::numeric_limits<int>::max()) {
    throw error(std::string(named.name) + ": " + std::to_string(count) +
                " elements are more than this CUDA version's CUB selects from: compile with CUDA "
                "12.9 or newer");
  }
#endif
  const auto in = iterator_over<T>(e.source);
  const auto out = output_to<T>(store_where_room<D>{destination});
  const auto select_n = [e, in, out, kept, stream = on.stream](void* temporary, std::size_t& bytes,
                                                               auto n) {
    if constexpr (std::is_same_v<typename E::operator_type, op::unique>) {
      return cub::DeviceSelect::Unique(temporary, bytes, in, out, kept, n, stream);
    } else if constexpr (E::is_partition) {
      return cub::DevicePartition::If(temporary, bytes, in, out, kept, n, e.function, stream);
    } else {
      return cub::DeviceSelect::If(temporary, bytes, in, out, kept, n, e.function, stream);
    }
  };
  const auto select = [select_n, count](void* temporary, std::size_t& bytes) {
#if CUB_VERSION < 200800
    return select_n(temporary, bytes, static_cast<int>(count));
#else
    return with_short_count(count, [&](auto n) { return select_n(temporary, bytes, n); });
#endif
  };
  call_library(on, named, "launching a selection", count, select);
  if constexpr (E::is_partition) {
    constexpr int threads = 256;
    constexpr int blocks_of_multiprocessor = 16;
    const auto most = static_cast<unsigned>(current_device_facts(named).multiprocessors *
                                            blocks_of_multiprocessor);
    const unsigned tiles = blocks_for(count / 2, threads * pairs_in_flight_v<T>);
    launch(named, on.stream, dim3(std::min(tiles, most)), dim3(threads), 0,
           reverse_rest_kernel<D, N>, destination, count, kept);
  }
}

template <typename E, typename D, typename N>
void select_counted(const platform::cuda& on, const computation& named, const E& e,
                    const D& destination, N* kept) {
  if (!select_by_posts(on, named, e, destination, kept)) {
    select_by_cub(on, named, e, destination, kept);
  }
}

template <typename E, typename D>
void run_device_selection(const platform::cuda& on, const computation& named, const E& e,
                          const D& destination) {
  if (e.size() == 0) {
    if constexpr (is_counted_v<D>) run_selection_serially(on, named, e, destination);
  } else if constexpr (is_counted_v<D>) {
    select_counted(on, named, e, destination, destination.results.data());
  } else {
    const workspace<index_t> kept(on, named, 1);
    select_counted(on, named, e, destination, kept.data());
  }
}

}  // namespace fettle::ndp::cuda::detail
