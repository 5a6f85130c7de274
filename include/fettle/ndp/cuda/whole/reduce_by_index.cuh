// reduce_by_index by the whole device. Sums of numbers are added by atomic operations
// (atomic_bins.cuh). All else is sorted by bin, which keeps the elements' order, and reduced by
// key.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/one_integer.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/atomic_bins.cuh>
#include <fettle/ndp/cuda/whole/reduce_by_key.cuh>
#include <fettle/ndp/cuda/whole/sort.cuh>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// y[b] = p where there is no run of b, else its sum.
template <typename E, typename D>
__global__ void store_runs_kernel(const __grid_constant__ E e,
                                  const __grid_constant__ D destination, const std::uint32_t* keys,
                                  const typename E::value_type* sums, const index_t* runs) {
  const index_t run = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (run < *runs && keys[run] < e.bins) store(destination[keys[run]], sums[run]);
}
template <typename E, typename D>
__global__ void store_seeds_kernel(const __grid_constant__ E e,
                                   const __grid_constant__ D destination) {
  const index_t b = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b < e.bins) store(destination[b], static_cast<typename E::value_type>(e.seed));
}

/// All of it by one thread, in order.
template <typename E, typename D>
__global__ void serial_bins_kernel(const __grid_constant__ E e,
                                   const __grid_constant__ D destination,
                                   typename E::value_type* bins) {
  using T = typename E::value_type;
  for (index_t b = 0; b < e.bins; ++b) bins[b] = static_cast<T>(e.seed);
  const index_t count = e.source.size();
  for (index_t i = 0; i < count; ++i) {
    const index_t b = e.bin_of(i);
    if (b >= 0) bins[b] = static_cast<T>(e.op(bins[b], e.source[i]));
  }
  for (index_t b = 0; b < e.bins; ++b) store(destination[b], bins[b]);
}

/// The bin of an element as a key to sort by; elements without one come last.
template <typename E>
struct bin_key {
  E e;
  FETTLE_HOST_DEVICE std::uint32_t operator()(index_t i) const {
    const index_t b = e.bin_of(i);
    return static_cast<std::uint32_t>(b < 0 ? e.bins : b);
  }
};

template <by_index_node E, typename D>
void run_bins_serially(const platform::cuda& on, const computation& named, const E& e,
                       const D& destination) {
  const workspace<typename E::value_type> bins(on, named, e.bins);
  launch(named, on.stream, dim3(1), dim3(1), 0, serial_bins_kernel<E, D>, e, destination,
         bins.data());
}

template <by_index_node E, typename D>
void run_bins_sorted(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  using T = typename E::value_type;
  constexpr int threads = 256;
  const index_t count = e.source.size();
  launch(named, on.stream, dim3(blocks_for(e.bins, threads)), dim3(threads), 0,
         store_seeds_kernel<E, D>, e, destination);
  if (count == 0) return;
  const workspace<std::uint32_t> keys(on, named, count);
  const workspace<index_t> elements(on, named, count);
  const workspace<std::uint32_t> run_keys(on, named, count);
  const workspace<T> sums(on, named, count);
  const workspace<index_t> runs(on, named, 1);
  const sequence<std::uint32_t> sorted_keys(keys.data(), count);
  const sequence<index_t> sorted_elements(elements.data(), count);
  const auto all = range(index_t{0}, count);
  run_device_sort(on, named, sort_by_key(less{}, map(bin_key<E>{e}, all), all),
                  zip(sorted_keys, sorted_elements));
  run_device_reduce_by_key(
      on, named, runs_by_key(e.op, gather(e.source, sorted_elements), sorted_keys, e.seed),
      counted(zip(sequence<std::uint32_t>(run_keys.data(), count), sequence<T>(sums.data(), count)),
              sequence<index_t>(runs.data(), 1)));
  launch(named, on.stream, dim3(blocks_for(count, threads)), dim3(threads), 0,
         store_runs_kernel<E, D>, e, destination, run_keys.data(), sums.data(), runs.data());
}

template <by_index_node E, typename D>
void run_device_reduce_by_index(const platform::cuda& on, const computation& named, const E& e,
                                const D& destination) {
  if (e.bins == 0) return;
  if constexpr (adds_atomically_v<E>) {
    if constexpr (is_one_integer_v<decltype(E::source)>) {
      if (e.source.size() <= index_t{std::numeric_limits<std::uint32_t>::max()}) {
        run_bins_atomically<true>(on, named, e, destination);
        return;
      }
    }
    run_bins_atomically<false>(on, named, e, destination);
  } else if constexpr (can_combine_v<decltype(E::op), decltype(E::source), decltype(E::seed)>) {
    if (e.bins < index_t{1} << 32) {
      run_bins_sorted(on, named, e, destination);
    } else {
      run_bins_serially(on, named, e, destination);
    }
  } else {
    run_bins_serially(on, named, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
