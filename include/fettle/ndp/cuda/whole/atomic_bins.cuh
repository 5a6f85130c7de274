// Bins by atomic additions: sums of numbers, in each block's shared memory where the bins fit into
// it. Sums of floating-point numbers may differ in the last bits from run to run.
//
// Elements that are all the same integer are counted in 32 bits, which shared memory adds for a
// whole warp at once.
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
#include <fettle/ndp/cuda/block/bins_of_warp.cuh>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/shared_memory.cuh>
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

/// What a thread adds up by itself until it is done: most elements may be in one bin, at which the
/// threads would wait for each other.
template <typename Bins, typename Tally>
struct frequent_bin {
  typename Bins::bin bin;
  Tally sum;
};

/// Adds the elements from `first` on that a thread has of a tile; with Whole all are there. Those
/// of the frequent bin, which the first tile decides, are not added yet.
template <bool Whole, bool Counts, typename E, typename Bins>
__device__ void add_tile(const E& e, index_t first, const Bins& bins, bool is_first_tile,
                         frequent_bin<Bins, tally_t<Counts, E>>& frequent) {
  using tally = tally_t<Counts, E>;
  // The hardware counts for a warp at once in shared memory.
  constexpr bool counts_at_once = Counts && Bins::is_shared;
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
  // Whole numbers are added so fast there that a frequent bin is none.
  if constexpr (!Bins::is_shared || std::is_floating_point_v<tally>) {
    if (is_first_tile) frequent.bin = bins.frequent_among(bin[0]);
#pragma unroll
    for (int k = 0; k < elements_in_flight; ++k) {
      if (bin[k] != frequent.bin) continue;
      frequent.sum = static_cast<tally>(frequent.sum + value[k]);
      bin[k] = bins.count;
    }
  }
#pragma unroll
  for (int k = 0; k < elements_in_flight; ++k) {
    if constexpr (counts_at_once) {
      if (bin[k] < bins.count) atomicAdd(bins.sums + bin[k], 1U);
    } else {
      bins.add_together(bin[k], value[k]);
    }
  }
}

/// Bins that a block clears and adds up without taking long.
inline constexpr index_t few_bins = 1024;

/// How many blocks add `count` elements to `bins` bins: as many as run at once, fewer where each
/// has many bins to clear and to add up.
[[nodiscard]] inline unsigned blocks_for_bins(index_t count, index_t bins, int multiprocessors) {
  const int of_multiprocessor = bins > few_bins ? 4 : 8;
  return std::min(blocks_for(count, threads_of_bins * elements_in_flight),
                  static_cast<unsigned>(multiprocessors * of_multiprocessor));
}

/// Adds all elements, or with Counts their number, to bins that are zero. With Shared, `own` is a
/// block's shared memory, which is added to one of the `copies` sets of bins when all is in it:
/// additions of blocks to one address wait for each other, so that few share a set.
template <bool Shared, bool Counts, typename E>
__device__ void add_to_bins(const E& e, tally_t<Counts, E>* own, tally_t<Counts, E>* bins,
                            unsigned copies) {
  using tally = tally_t<Counts, E>;
  using bins_type = bins_of_warp<Shared, tally>;
  const bins_type to{Shared ? own : bins, static_cast<typename bins_type::bin>(e.bins)};
  if constexpr (Shared) {
    for (index_t b = threadIdx.x; b < e.bins; b += threads_of_bins) to.sums[b] = tally{0};
    __syncthreads();
  }
  constexpr index_t tile = index_t{threads_of_bins} * elements_in_flight;
  const index_t count = e.source.size();
  const index_t begin = blockIdx.x * tile;
  frequent_bin<bins_type, tally> frequent{to.count, tally{0}};
  for (index_t first = begin; first < count; first += gridDim.x * tile) {
    if (first + tile <= count) {
      add_tile<true, Counts>(e, first + threadIdx.x, to, first == begin, frequent);
    } else {
      add_tile<false, Counts>(e, first + threadIdx.x, to, first == begin, frequent);
    }
  }
  to.add_together(frequent.sum != tally{0} ? frequent.bin : to.count, frequent.sum);
  if constexpr (Shared) {
    __syncthreads();
    tally* const set = bins + blockIdx.x % copies * e.bins;
    for (index_t b = threadIdx.x; b < e.bins; b += threads_of_bins) {
      if (to.sums[b] != tally{0}) add_atomically(set + b, to.sums[b]);
    }
  }
}

/// y[b] = p op the sum of bins[b] over all copies
template <bool Counts, typename E, typename D>
__device__ void store_bin(const E& e, const D& destination, index_t b,
                          const tally_t<Counts, E>* bins, unsigned copies) {
  using T = typename E::value_type;
  tally_t<Counts, E> all = bins[b];
#pragma unroll 4
  for (unsigned c = 1; c < copies; ++c) {
    all = static_cast<tally_t<Counts, E>>(all + bins[c * e.bins + b]);
  }
  auto sum = static_cast<T>(all);
  if constexpr (Counts) sum = static_cast<T>(sum * e.source.value);
  store(destination[b], static_cast<T>(e.op(static_cast<T>(e.seed), sum)));
}

template <bool Shared, bool Counts, typename E>
__global__ void __launch_bounds__(threads_of_bins)
    add_to_bins_kernel(const __grid_constant__ E e, tally_t<Counts, E>* bins) {
  alignas(8) extern __shared__ unsigned char own_bytes[];
  add_to_bins<Shared, Counts>(e, reinterpret_cast<tally_t<Counts, E>*>(own_bytes), bins, 1);
}

template <bool Counts, typename E, typename D>
__global__ void store_bins_kernel(const __grid_constant__ E e,
                                  const __grid_constant__ D destination,
                                  const tally_t<Counts, E>* bins) {
  const index_t b = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b < e.bins) store_bin<Counts>(e, destination, b, bins, 1);
}

/// Both in one kernel, with the stream's queue (arrival_counter.cuh) for bins: it is zero, and the
/// last block leaves it so.
template <bool Counts, typename E, typename D>
__global__ void __launch_bounds__(threads_of_bins)
    queued_bins_kernel(const __grid_constant__ E e, const __grid_constant__ D destination,
                       unsigned copies, arrivals counter) {
  using tally = tally_t<Counts, E>;
  alignas(8) extern __shared__ unsigned char own_bytes[];
  __shared__ bool is_last;
  auto* const bins = reinterpret_cast<tally*>(counter.queue());
  add_to_bins<true, Counts>(e, reinterpret_cast<tally*>(own_bytes), bins, copies);
  __syncthreads();
  if (threadIdx.x == 0) is_last = counter.is_last(gridDim.x);
  __syncthreads();
  if (!is_last) return;
  for (index_t b = threadIdx.x; b < e.bins; b += threads_of_bins) {
    store_bin<Counts>(e, destination, b, bins, copies);
  }
  __syncthreads();
  for (index_t b = threadIdx.x; b < copies * e.bins; b += threads_of_bins) bins[b] = tally{0};
}

template <bool Counts, by_index_node E, typename D>
void run_bins_atomically(const platform::cuda& on, const computation& named, const E& e,
                         const D& destination) {
  using tally = tally_t<Counts, E>;
  constexpr std::size_t most_shared = std::size_t{72} * 1024;  // three blocks a multiprocessor
  constexpr std::size_t always_shared = std::size_t{48} * 1024;
  constexpr index_t queue_room = index_t{stream_queue_bytes / sizeof(tally)};
  constexpr unsigned blocks_of_copy = 64;
  constexpr auto shared_kernel = add_to_bins_kernel<true, Counts, E>;
  const auto bytes = static_cast<std::size_t>(e.bins) * sizeof(tally);
  const index_t count = e.source.size();
  const dim3 block(threads_of_bins);
  const unsigned blocks =
      blocks_for_bins(count, e.bins, current_device_facts(named).multiprocessors);
  // Bins of a block pay where many elements would wait for each other at the same bin.
  const bool shared =
      bytes <= most_shared && count >= 16 * e.bins &&
      (bytes <= always_shared || allow_shared_memory<shared_kernel, most_shared>(named));
  if (shared && e.bins <= few_bins) {
    static_assert(few_bins <= queue_room);
    const arrival_counter counter(on, named);
    if (counter.has_queue()) {
      const unsigned copies =
          std::min(static_cast<unsigned>(queue_room / e.bins), 1 + (blocks - 1) / blocks_of_copy);
      launch(named, on.stream, dim3(blocks), block, bytes, queued_bins_kernel<Counts, E, D>, e,
             destination, copies, counter.get());
      return;
    }
  }
  const workspace<tally> bins(on, named, e.bins);
  set_bytes(named, on.stream, bins.data(), 0, bytes, "clearing the bins");
  launch(named, on.stream, dim3(blocks), block, shared ? bytes : 0,
         shared ? shared_kernel : add_to_bins_kernel<false, Counts, E>, e, bins.data());
  launch(named, on.stream, dim3(blocks_for(e.bins, threads_of_bins)), block, 0,
         store_bins_kernel<Counts, E, D>, e, destination, bins.data());
}

}  // namespace fettle::ndp::cuda::detail
