// independent: elements in parallel, each by one thread, and all levels below sequential (the
// paper's listing 2); the generic kernel, which realises any operator.
//
// grain_size elements are one thread's at a time: a block's width apart, so that neighbours read
// neighbouring memory, and all read before the first is written, so that their loads overlap. Maps
// of contiguous numbers are read and written in packets of 16 bytes.
#pragma once

#include <cuda_runtime.h>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/generic/realise.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Policy>
inline constexpr int threads_v = Policy::value.block_size_x * Policy::value.block_size_y;

template <typename Policy>
[[nodiscard]] inline dim3 block_of() {
  return dim3(static_cast<unsigned>(Policy::value.block_size_x),
              static_cast<unsigned>(Policy::value.block_size_y));
}

template <typename Policy, typename E, typename D>
__global__ __launch_bounds__(threads_v<Policy>) void independent_kernel(
    const __grid_constant__ E e, const __grid_constant__ D destination, index_t count) {
  constexpr int threads = threads_v<Policy>;
  constexpr int grain = level_v<Policy, 0>.grain_size;
  constexpr index_t tile = index_t{threads} * grain;
  const index_t stride = tile * gridDim.x;
  for (index_t base = tile * blockIdx.x; base < count; base += stride) {
    const index_t first = base + thread_in_block();
    if constexpr (grain > 1 && yields_values_v<E>) {
      if (base + tile <= count) {
        copy_elements<threads>(e, destination, first, std::make_index_sequence<grain>{});
        continue;
      }
    }
#pragma unroll 1
    for (index_t i = first; i < count && i < base + tile; i += threads) {
      realise_element<Policy, 0>(e, destination, i);
    }
  }
}

/// How many elements of E and D are read and written at once: 1 where they are not contiguous.
template <typename E, typename D>
inline constexpr int common_packet_v = 1;

template <typename E>
inline constexpr bool is_computed_v = false;
template <typename T, typename Stride>
inline constexpr bool is_computed_v<counting_sequence<T, Stride>> = true;
template <typename T>
inline constexpr bool is_computed_v<constant_sequence<T>> = !sequence_like<T>;

template <typename E, typename V>
  requires(fits_packet_v<V> && !std::is_const_v<V> && (leaf_bytes_v<E> > 0 || is_computed_v<E>) &&
           yields_values_v<E> && std::is_constructible_v<V, const typename value_of<E>::type&>)
inline constexpr int common_packet_v<E, sequence<V>> =
    packet_bytes / wider(leaf_bytes_v<E>, static_cast<int>(sizeof(V)));

template <int N, typename V, typename T, std::size_t... Ks>
[[nodiscard]] __device__ packet<V, N> converted(const packet<T, N>& p,
                                                std::index_sequence<Ks...> /*items*/) {
  return {{static_cast<V>(p.item[Ks])...}};
}

template <int N, int Stride, typename E, typename V, std::size_t... Ks>
__device__ void copy_packets(const E& e, const sequence<V>& destination, index_t i,
                             std::index_sequence<Ks...> /*packets*/) {
  const packet<V, N> values[] = {converted<N, V>(
      read_packet<N>(e, i + static_cast<index_t>(Ks) * Stride), std::make_index_sequence<N>{})...};
  ((*reinterpret_cast<packet<V, N>*>(destination.data() + i + static_cast<index_t>(Ks) * Stride) =
        values[Ks]),
   ...);
}

template <typename Policy, int N, typename E, typename V>
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
      copy_packets<N, threads * N>(e, destination, cut.first + first * N,
                                   std::make_index_sequence<grain>{});
    } else {
#pragma unroll 1
      for (index_t k = first; k < cut.packets; k += threads) {
        copy_packets<N, 0>(e, destination, cut.first + k * N, std::index_sequence<0>{});
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

/// independent>sequential>...
template <typename Policy, typename E, typename D>
void run_independent(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  constexpr index_t tile = index_t{threads_v<Policy>} * level_v<Policy, 0>.grain_size;
  const index_t count = e.size();
  constexpr int n = common_packet_v<E, D>;
  if constexpr (n > 1) {
    // Below that, more threads with less to do each are better.
    constexpr index_t threads_of_a_multiprocessor = 2048;
    const device_facts& device = current_device_facts(named);
    if (count >= n * threads_of_a_multiprocessor * device.multiprocessors) {
      const int lead = common_lead(packet_lead<n>(e), packet_lead<n>(destination));
      if (lead != no_lead) {
        const packet_cut cut = cut_to_packets(0, count, lead, n);
        launch(named, on.stream, dim3(blocks_for(cut.packets, tile)), block_of<Policy>(), 0,
               packet_kernel<Policy, n, E, std::remove_reference_t<decltype(destination[0])>>, e,
               destination, count, cut);
        return;
      }
    }
  }
  launch(named, on.stream, dim3(blocks_for(count, tile)), block_of<Policy>(), 0,
         independent_kernel<Policy, E, D>, e, destination, count);
}

}  // namespace fettle::ndp::cuda::detail
