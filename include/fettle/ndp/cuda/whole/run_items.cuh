// run_items: the few neighbouring elements that a thread reads of keys and values, by packets where
// they are aligned. Neighbouring threads read at a distance of a thread's elements: one by one, a
// warp would touch the same memory again for each of them.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int runs_threads = 256;
inline constexpr int runs_items = 8;  // consecutive elements of a thread
inline constexpr index_t runs_step = index_t{runs_threads} * runs_items;

/// Tiles as long as keep some blocks for each multiprocessor, in whole steps.
[[nodiscard]] constexpr index_t length_of_run_tiles(index_t elements, int multiprocessors) {
  const index_t tiles = index_t{16} * multiprocessors;
  return ceiling_quotient(ceiling_quotient(elements, tiles), runs_step) * runs_step;
}

/// How many of a thread's elements from `first` on are in a tile.
[[nodiscard]] __device__ inline int items_until(index_t first, index_t end) {
  return static_cast<int>(first >= end               ? index_t{0}
                          : end - first < runs_items ? end - first
                                                     : index_t{runs_items});
}

/// How many of a thread's elements make a packet.
template <typename S>
inline constexpr int packet_of_items_v =
    packet_size_v<S> < runs_items ? packet_size_v<S> : runs_items;

/// Whether packets of `s` begin where a thread's elements do, at multiples of their number.
template <typename S>
[[nodiscard]] __device__ bool has_aligned_items(const S& s) {
  constexpr int n = packet_of_items_v<S>;
  if constexpr (n == 1) {
    return false;
  } else {
    const int lead = packet_lead<n>(s);
    return lead == 0 || lead == any_lead;
  }
}

/// All of a thread's elements from `first` on.
template <typename T, typename S>
__device__ void read_items(const S& s, index_t first, bool aligned, T (&items)[runs_items]) {
  constexpr int n = packet_of_items_v<S>;
  if constexpr (n > 1) {
    if (aligned) {
#pragma unroll
      for (int j = 0; j < runs_items; j += n) {
        const auto all = read_packet<n>(s, first + j);
#pragma unroll
        for (int k = 0; k < n; ++k) items[j + k] = static_cast<T>(all.item[k]);
      }
      return;
    }
  }
#pragma unroll
  for (int j = 0; j < runs_items; ++j) items[j] = static_cast<T>(s[first + j]);
}

/// At which of the first `count` of a thread's elements a run begins: bit j for element first + j.
template <typename K>
[[nodiscard]] __device__ unsigned begins_among(const K& keys, index_t first, int count,
                                               bool aligned) {
  using key = typename K::value_type;
  unsigned begins = 0;
  if constexpr (std::is_trivially_copyable_v<key> && std::is_default_constructible_v<key>) {
    if (count == runs_items && first > 0) {
      key items[runs_items];
      read_items(keys, first, aligned, items);
      if (!(items[0] == static_cast<key>(keys[first - 1]))) begins = 1;
#pragma unroll
      for (int j = 1; j < runs_items; ++j) {
        if (!(items[j] == items[j - 1])) begins |= 1U << j;
      }
      return begins;
    }
  }
  for (int j = 0; j < count; ++j) {
    if (begins_run(keys, first + j)) begins |= 1U << j;
  }
  return begins;
}

}  // namespace fettle::ndp::cuda::detail
