// independent: elements in parallel, each by one thread, and all levels below sequential (the
// paper's listing 2); the generic kernel, which realises any operator.
//
// grain_size elements are one thread's at a time: a block's width apart, so that neighbours read
// neighbouring memory, and all read before the first is written, so that their loads overlap. Maps
// of contiguous numbers are read and written in packets (copy_packets.cuh).
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/block/wide_elements.hpp>
#include <fettle/ndp/cuda/block/wide_gather.hpp>
#include <fettle/ndp/cuda/generic/copy_packets.cuh>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/generic/staged_stores.cuh>
#include <fettle/ndp/cuda/generic/whole_of_windows.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Policy>
inline constexpr int threads_v = Policy::value.block_size_x * Policy::value.block_size_y;

template <typename Policy>
[[nodiscard]] inline dim3 block_of() {
  return dim3(static_cast<unsigned>(Policy::value.block_size_x),
              static_cast<unsigned>(Policy::value.block_size_y));
}

/// Elements [begin, end).
template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void independent_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t begin,
    index_t end) {
  constexpr int threads = threads_v<Policy>;
  constexpr int grain = level_v<Policy, 0>.grain_size;
  constexpr index_t tile = index_t{threads} * grain;
  const index_t stride = tile * gridDim.x;
  if constexpr (constexpr int words = staged_words_v<threads, E, D>; words > 0) {
    using warp = warp_resource<32>;
    __shared__ alignas(16) std::uint32_t room[threads * words];
    std::uint32_t* const own = room + warp::index_in_block() * warp::size * words;
    with_wide_elements(e, [&](const auto& its) {
      for (index_t base = begin + tile * blockIdx.x; base < end; base += stride) {
#pragma unroll 1
        for (index_t i = base + warp::index_in_block() * warp::size; i < end && i < base + tile;
             i += threads) {
          store_staged(its, destination, i, end, own);
        }
      }
    });
  } else {
    for (index_t base = begin + tile * blockIdx.x; base < end; base += stride) {
      const index_t first = base + thread_in_block();
      if constexpr (grain > 1 && yields_values_v<E>) {
        if (base + tile <= end) {
          copy_elements<threads>(e, destination, first, std::make_index_sequence<grain>{});
          continue;
        }
      }
#pragma unroll 1
      for (index_t i = first; i < end && i < base + tile; i += threads) {
        realise_element<Policy, 0>(e, destination, i);
      }
    }
  }
}

/// Aligned: the leaves of `e` begin packets where the destination does; else their elements are
/// read one by one.
template <typename Policy, int N, bool Aligned, typename E, typename V>
__global__ __launch_bounds__(threads_v<Policy>) void packet_kernel(
    const __grid_constant__ E e, const __grid_constant__ sequence<V> destination, index_t count,
    packet_cut cut) {
  constexpr int threads = threads_v<Policy>;
  constexpr int grain = level_v<Policy, 0>.grain_size;
  constexpr index_t tile = index_t{threads} * grain;
  const index_t stride = tile * gridDim.x;
  for (index_t base = tile * blockIdx.x; base < cut.packets; base += stride) {
    const index_t first = base + thread_in_block();
    if (base + tile <= cut.packets) {
      copy_packets<N, threads * N, Aligned>(e, destination, cut.first + first * N,
                                            std::make_index_sequence<grain>{});
    } else {
#pragma unroll 1
      for (index_t k = first; k < cut.packets; k += threads) {
        copy_packets<N, 0, Aligned>(e, destination, cut.first + k * N, std::index_sequence<0>{});
      }
    }
  }
  // What lies before the first packet and after the last is less than two packets.
  const index_t singles = cut.singles(0, count);
  for (index_t k = index_t{blockIdx.x} * threads + thread_in_block(); k < singles;
       k += index_t{gridDim.x} * threads) {
    const index_t i = cut.single(0, k);
    store(destination[i], e[i]);
  }
}

/// `e` by packets, which begin at the indices that are `lead` modulo N.
template <typename Policy, int N, bool Aligned, typename E, typename V>
void run_packets(const platform::cuda& on, const computation& named, const E& e,
                 const sequence<V>& destination, int lead) {
  constexpr index_t tile = index_t{threads_v<Policy>} * level_v<Policy, 0>.grain_size;
  const index_t count = e.size();
  const packet_cut cut = cut_to_packets(0, count, lead, N);
  launch(named, on.stream, dim3(blocks_for(cut.packets, tile)), block_of<Policy>(), 0,
         packet_kernel<Policy, N, Aligned, E, V>, e, destination, count, cut);
}

/// So small that a thread for each spends its time on instructions.
inline constexpr int small_element = 3;  // bytes

/// Elements from which packets of `n` leave enough threads: all that a GPU runs at once, or of
/// small ones a quarter of them.
[[nodiscard]] constexpr index_t least_for_packets(int n, int element_bytes,
                                                  int multiprocessors) noexcept {
  const index_t threads = index_t{element_bytes <= small_element ? 512 : 2048} * multiprocessors;
  return n * threads;
}

template <typename Policy, int Words, typename E, typename T>
__global__ __launch_bounds__(threads_v<Policy>) void wide_gather_kernel(
    const __grid_constant__ E e, const __grid_constant__ sequence<T> destination, index_t count) {
  const index_t stride = index_t{gridDim.x} * threads_v<Policy>;
  for (index_t k = index_t{blockIdx.x} * threads_v<Policy> + thread_in_block(); k < count * Words;
       k += stride) {
    copy_wide_word<Words>(e, destination, k);
  }
}

/// independent>sequential>...
template <typename Policy, typename E, typename D>
void run_independent(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  constexpr index_t tile = index_t{threads_v<Policy>} * level_v<Policy, 0>.grain_size;
  const index_t count = e.size();
  if constexpr (constexpr int words = wide_words_v<E, D>; words > 0) {
    if (has_wide_words(e, destination)) {
      launch(named, on.stream, dim3(blocks_for(count * words, threads_v<Policy>)),
             block_of<Policy>(), 0, wide_gather_kernel<Policy, words, E, typename D::value_type>, e,
             destination, count);
      return;
    }
  }
  constexpr int n = common_packet_v<E, D>;
  if constexpr (n > 1) {
    // Below that, more threads with less to do each are better.
    constexpr int bytes = wider(leaf_bytes_v<E>, sizeof(std::remove_reference_t<element_t<D>>));
    if (count >= least_for_packets(n, bytes, current_device_facts(named).multiprocessors)) {
      const int lead = common_lead(packet_lead<n>(e), packet_lead<n>(destination));
      if (lead != no_lead) {
        run_packets<Policy, n, true>(on, named, e, destination, lead);
        return;
      }
      // Neighbours of small elements, as in differences and stencils: written together.
      constexpr int few = 4;
      if constexpr (bytes <= small_element) {
        run_packets<Policy, few, false>(on, named, e, destination, packet_lead<few>(destination));
        return;
      }
    }
  }
  if constexpr (is_map_of_windows_v<E> && ndp::detail::is_contiguous_v<D>) {
    const index_t first = first_of_windows(e);
    if (first >= 0) {
      const auto whole = over_whole(e, first);
      launch(named, on.stream, dim3(blocks_for(count, tile)), block_of<Policy>(), 0,
             independent_kernel<Policy, std::remove_const_t<decltype(whole)>, D>, whole,
             begun_before(destination, first), first, first + count);
      return;
    }
  }
  launch(named, on.stream, dim3(blocks_for(count, tile)), block_of<Policy>(), 0,
         independent_kernel<Policy, E, D>, e, destination, index_t{0}, count);
}

}  // namespace fettle::ndp::cuda::detail
