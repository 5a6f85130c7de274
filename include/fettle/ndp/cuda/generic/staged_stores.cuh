// staged_stores: structures to memory through shared memory, so that neighbouring threads write
// neighbouring words. Where each thread of a warp stores its own structure of 36 bytes, every store
// instruction writes four bytes into each of 32 sectors.
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

/// Words of the structures into which E's elements are put; 0 where they are not staged: they are
/// no structures of several words, or a block of `Threads` has no room for them.
template <int Threads, typename E, typename D>
inline constexpr int staged_words_v = 0;
template <int Threads, typename E, typename V>
  requires(std::is_class_v<V> && std::is_trivially_copyable_v<V> && alignof(V) % 4 == 0 &&
           alignof(V) <= 16 && sizeof(V) > 16 && sizeof(V) <= 64 && yields_values_v<E> &&
           Threads % warp_resource<32>::size == 0 && Threads * sizeof(V) <= 32768)
inline constexpr int staged_words_v<Threads, E, sequence<V>> = sizeof(V) / sizeof(std::uint32_t);

/// Elements first ... of e, one for each thread of a warp, up to `end`; `room` is the warp's.
template <typename E, typename V>
__device__ void store_staged(const E& e, const sequence<V>& destination, index_t first, index_t end,
                             std::uint32_t* room) {
  using warp = warp_resource<32>;
  constexpr int words = sizeof(V) / sizeof(std::uint32_t);
  const index_t left = end - first;
  const int count = left < warp::size ? static_cast<int>(left) : warp::size;
  if (warp::rank() < count) {
    // Field by field: a copy as a whole would also read the bytes between the fields.
    new (room + warp::rank() * words) V(static_cast<V>(e[first + warp::rank()]));
  }
  warp::wait();
  auto* const to = reinterpret_cast<std::uint32_t*>(destination.data() + first);
  for (int k = warp::rank(); k < count * words; k += warp::size) to[k] = room[k];
  warp::wait();
}

}  // namespace fettle::ndp::cuda::detail
