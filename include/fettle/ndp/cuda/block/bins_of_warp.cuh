// Additions of the lanes of a warp to bins, in a block's shared memory or in device memory.
//
// Shared memory adds numbers of 32 bits without a loop of compare-and-swap. Those of a warp that
// share a bin are added up first where they are many.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

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
  static constexpr bool is_shared = Shared;
  static constexpr int many = 8;  // lanes

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

  /// The bin that a thread may add up by itself, with its first element in `b`: the one that many
  /// lanes have, else its own.
  [[nodiscard]] __device__ bin frequent_among(bin b) const {
    const unsigned int there = __ballot_sync(0xFFFFFFFFU, b < count);
    if (there == 0) return b;
    const bin common = __shfl_sync(0xFFFFFFFFU, b, __ffs(static_cast<int>(there)) - 1);
    return __popc(__ballot_sync(0xFFFFFFFFU, b == common)) >= many ? common : b;
  }
};

}  // namespace fettle::ndp::cuda::detail
