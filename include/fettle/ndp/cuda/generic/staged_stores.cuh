// staged_stores: structures to memory through shared memory, so that neighbouring threads write
// neighbouring words. A warp that stores structures of 36 bytes one by one touches each sector with
// every store; each time, a part of it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <new>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/generic/copy_packets.cuh>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements of E are structures of several words that become elements of memory.
template <typename E, typename D>
inline constexpr bool stages_stores_v = false;
template <typename E, typename V>
  requires(std::is_class_v<V> && std::is_trivially_copyable_v<V> && alignof(V) % 4 == 0 &&
           sizeof(V) > 16 && sizeof(V) <= 64 && yields_values_v<E>)
inline constexpr bool stages_stores_v<E, sequence<V>> = true;

/// Elements first ... of e, one for each thread of a warp of the block of `Threads`, up to `end`.
template <int Threads, typename E, typename V>
__device__ void store_staged(const E& e, const sequence<V>& destination, index_t first,
                             index_t end) {
  using warp = warp_resource<32>;
  constexpr int words = sizeof(V) / sizeof(std::uint32_t);
  __shared__ alignas(16) std::uint32_t room[Threads / warp::size][warp::size * words];
  std::uint32_t* const own = room[warp::index_in_block()];
  const index_t left = end - first;
  const int count = left < warp::size ? static_cast<int>(left) : warp::size;
  if (warp::rank() < count) {
    // Field by field: a copy as a whole would also read the bytes between the fields.
    new (own + warp::rank() * words) V(static_cast<V>(e[first + warp::rank()]));
  }
  warp::wait();
  auto* const to = reinterpret_cast<std::uint32_t*>(destination.data() + first);
  for (int k = warp::rank(); k < count * words; k += warp::size) to[k] = own[k];
  warp::wait();
}

}  // namespace fettle::ndp::cuda::detail
