// Bins by atomic additions: sums of numbers, in each block's shared memory where the bins fit into
// it. Sums of floating-point numbers may differ in the last bits from run to run.
//
// Elements that are all the same integer are counted in 32 bits, which shared memory adds without a
// loop of compare-and-swap, and for a whole warp at once. Of other elements, those of a warp that
// share a bin are added up first where they are many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Sums that the GPU's atomic addition makes.
template <typename E>
inline constexpr bool adds_atomically_v = [] {
  using T = typename E::value_type;
  constexpr bool is_integer = std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
  return std::is_same_v<decltype(E::op), plus> &&
         (is_integer || std::is_same_v<T, float> || std::is_same_v<T, double>);
}();

/// What is added up in a bin: a count, or a sum.
template <bool Counts, typename E>
using tally_t = std::conditional_t<Counts, std::uint32_t, typename E::value_type>;

/// to += x, atomically; integers modulo a power of two, whatever their sign.
template <typename T>
__device__ void add_atomically(T* to, T x) {
  if constexpr (std::is_floating_point_v<T>) {
    atomicAdd(to, x);
  } else if constexpr (sizeof(T) == 4) {
    atomicAdd(reinterpret_cast<unsigned int*>(to), static_cast<unsigned int>(x));
  } else {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
}

/// The same in shared memory, which adds integers of 64 bits slowly: in two halves, of which the
/// lower one's carry is added to the upper one. The sum is right when all have been added.
template <typename T>
__device__ void add_in_shared_memory(T* to, T x) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    auto* const halves = reinterpret_cast<unsigned int*>(to);
    const auto low = static_cast<unsigned int>(x);
    const unsigned int before = atomicAdd(halves, low);
    const unsigned int high = static_cast<unsigned int>(static_cast<std::uint64_t>(x) >> 32U) +
                              (before + low < before ? 1U : 0U);
    if (high != 0) atomicAdd(halves + 1, high);
  } else {
    add_atomically(to, x);
  }
}

/// The sum of the values of those lanes of a warp that `lanes` has, to all of these.
template <typename T>
[[nodiscard]] __device__ T sum_of_lanes(unsigned int lanes, bool is_in, T value) {
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    return is_in ? static_cast<T>(__reduce_add_sync(lanes, static_cast<unsigned int>(value)))
                 : T{0};
  } else
#endif
  {
    T sum = is_in ? value : T{0};
    for (int distance = 16; distance > 0; distance /= 2) {
      sum = static_cast<T>(sum + __shfl_xor_sync(0xFFFFFFFFU, sum, distance));
    }
    return sum;
  }
}

/// Where lanes of a warp add numbers to bins: in a block's own memory bins have 32-bit indices.
template <bool Shared, typename Tally>
struct bins_of_warp {
  using bin = std::conditional_t<Shared, std::uint32_t, std::uint64_t>;
  Tally* sums;
  bin count;  // a bin from there on is none

  __device__ void add(bin b, Tally value) const {
    if (b >= count) return;
    if constexpr (Shared) {
      add_in_shared_memory(sums + b, value);
    } else {
      add_atomically(sums + b, value);
    }
  }

  /// ... of all lanes. Additions to one bin wait for each other: those to the bin of the first lane
  /// that has one are added up first where they are many.
  __device__ void add_together(bin b, Tally value) const {
    constexpr int many = 8;
    const unsigned int there = __ballot_sync(0xFFFFFFFFU, b < count);
    if (__popc(there) >= many) {
      const bin common = __shfl_sync(0xFFFFFFFFU, b, __ffs(static_cast<int>(there)) - 1);
      const bool is_common = b == common;
      const unsigned int lanes = __ballot_sync(0xFFFFFFFFU, is_common);
      if (__popc(lanes) >= many) {
        const Tally sum = sum_of_lanes(lanes, is_common, value);
        if (is_common) value = sum;
        const bool is_first = (lanes & ((1U << (threadIdx.x % 32)) - 1)) == 0;
        if (is_common && !is_first) b = count;
      }
    }
    add(b, value);
  }
};

/// Elements that a thread reads before it adds the first one.
inline constexpr int elements_in_flight = 4;
inline constexpr int threads_of_bins = 256;

/// The bin of element i of a node, from bins.count on where it has none.
template <typename E, typename Bins>
[[nodiscard]] __device__ typename Bins::bin bin_of_element(const E& e, index_t i,
                                                           const Bins& bins) {
  const auto index = e.indices[i];
  if constexpr (sizeof(index) <= sizeof(std::uint32_t) && sizeof(typename Bins::bin) == 4) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(index));
  } else {
    const auto bin = static_cast<std::uint64_t>(static_cast<index_t>(index));
    return bin < bins.count ? static_cast<typename Bins::bin>(bin) : bins.count;
  }
}

/// Adds the elements from `first` on that a thread has of a tile; with Whole all are there.
template <bool Whole, bool Counts, typename E, typename Bins>
__device__ void add_tile(const E& e, index_t first, const Bins& bins) {
  using tally = tally_t<Counts, E>;
  typename Bins::bin bin[elements_in_flight];
  tally value[elements_in_flight];
#pragma unroll
  for (int k = 0; k < elements_in_flight; ++k) {
    const index_t at = first + k * threads_of_bins;
    bin[k] = Whole || at < e.source.size() ? bin_of_element(e, at, bins) : bins.count;
    value[k] = tally{1};
    if constexpr (!Counts) {
      if (bin[k] < bins.count) value[k] = static_cast<tally>(e.source[at]);
    }
  }
  if constexpr (!Counts) {
#pragma unroll
    for (int k = 1; k < elements_in_flight; ++k) {
      if (bin[k] != bin[0]) continue;
      value[0] = static_cast<tally>(value[0] + value[k]);
      bin[k] = bins.count;
    }
  }
#pragma unroll
  for (int k = 0; k < elements_in_flight; ++k) {
    if constexpr (Counts) {
      // The hardware adds the ones of a warp at once.
      if (bin[k] < bins.count) atomicAdd(bins.sums + bin[k], 1U);
    } else {
      bins.add_together(bin[k], value[k]);
    }
  }
}

/// The blocks that add `count` elements to `bins` bins: as many as run at once, fewer where each
/// has many bins to clear and to add up.
[[nodiscard]] inline unsigned blocks_for_bins(index_t count, index_t bins, int multiprocessors) {
  constexpr index_t many_bins = 1024;
  const int of_multiprocessor = bins > many_bins ? 4 : 8;
  return std::min(blocks_for(count, threads_of_bins * elements_in_flight),
                  static_cast<unsigned>(multiprocessors * of_multiprocessor));
}

/// Adds all elements, or with Counts their number, to the bins, which are zero: with Shared those
/// of a block are added to bins of its own first.
template <bool Shared, bool Counts, typename E>
__global__ void __launch_bounds__(threads_of_bins)
    add_to_bins_kernel(const __grid_constant__ E e, tally_t<Counts, E>* bins) {
  using tally = tally_t<Counts, E>;
  using bins_type = bins_of_warp<Shared, tally>;
  extern __shared__ unsigned char shared_bytes[];
  const bins_type own{Shared ? reinterpret_cast<tally*>(shared_bytes) : bins,
                      static_cast<typename bins_type::bin>(e.bins)};
  if constexpr (Shared) {
    for (index_t b = threadIdx.x; b < e.bins; b += threads_of_bins) own.sums[b] = tally{0};
    __syncthreads();
  }
  constexpr index_t tile = index_t{threads_of_bins} * elements_in_flight;
  const index_t count = e.source.size();
  for (index_t first = blockIdx.x * tile; first < count; first += gridDim.x * tile) {
    if (first + tile <= count) {
      add_tile<true, Counts>(e, first + threadIdx.x, own);
    } else {
      add_tile<false, Counts>(e, first + threadIdx.x, own);
    }
  }
  if constexpr (Shared) {
    __syncthreads();
    for (index_t b = threadIdx.x; b < e.bins; b += threads_of_bins) {
      if (own.sums[b] != tally{0}) add_atomically(bins + b, own.sums[b]);
    }
  }
}

/// y[b] = p op bins[b]
template <bool Counts, typename E, typename D>
__global__ void store_bins_kernel(const __grid_constant__ E e,
                                  const __grid_constant__ D destination,
                                  const tally_t<Counts, E>* bins) {
  using T = typename E::value_type;
  const index_t b = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b >= e.bins) return;
  auto sum = static_cast<T>(bins[b]);
  if constexpr (Counts) sum = static_cast<T>(sum * e.source.value);
  store(destination[b], static_cast<T>(e.op(static_cast<T>(e.seed), sum)));
}

template <bool Counts, by_index_node E, typename D>
void run_bins_atomically(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination) {
  using tally = tally_t<Counts, E>;
  const workspace<tally> bins(on, named, e.bins);
  const auto bytes = static_cast<std::size_t>(e.bins) * sizeof(tally);
  set_bytes(named, on.stream, bins.data(), 0, bytes, "clearing the bins");
  const index_t count = e.source.size();
  const dim3 block(threads_of_bins);
  const dim3 grid(blocks_for_bins(count, e.bins, current_device_facts(named).multiprocessors));
  // Bins of a block pay where many elements would wait for each other at the same bin.
  constexpr std::size_t most_shared = std::size_t{32} * 1024;
  if (bytes <= most_shared && count >= 16 * e.bins) {
    launch(named, on.stream, grid, block, bytes, add_to_bins_kernel<true, Counts, E>, e,
           bins.data());
  } else {
    launch(named, on.stream, grid, block, 0, add_to_bins_kernel<false, Counts, E>, e, bins.data());
  }
  launch(named, on.stream, dim3(blocks_for(e.bins, threads_of_bins)), block, 0,
         store_bins_kernel<Counts, E, D>, e, destination, bins.data());
}

}  // namespace fettle::ndp::cuda::detail
