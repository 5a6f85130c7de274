// run_items: the few neighbouring elements that a thread reads of keys and values, by packets where
// they are aligned. Neighbouring threads read at a distance of a thread's elements: one by one, a
// warp would touch the same memory again for each of them. And what both kinds of kernels over runs
// do with them (tiled_runs.cuh, posted_runs.cuh).
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int runs_threads = 256;
inline constexpr int runs_items = 8;  // consecutive elements of a thread
inline constexpr index_t runs_step = index_t{runs_threads} * runs_items;

using sum_of_runs = cub::BlockReduce<index_t, runs_threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
using scan_of_begun = cub::BlockScan<int, runs_threads, cub::BLOCK_SCAN_WARP_SCANS>;

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

/// ... or the first `count` of them.
template <typename T, typename S>
__device__ void read_items(const S& s, index_t first, int count, bool aligned,
                           T (&items)[runs_items]) {
  if (count == runs_items) {
    read_items(s, first, aligned, items);
    return;
  }
#pragma unroll
  for (int j = 0; j < runs_items; ++j) {
    if (j < count) items[j] = static_cast<T>(s[first + j]);
  }
}

/// The sum of the last run that begins among a thread's elements, or of all where none begins
/// (bit j of `begins`: before element j). end_run(j, sum) is called where a run ends before element
/// j.
template <typename Partial, typename Op, typename T, typename EndRun>
[[nodiscard]] __device__ Partial walk_items(const Op& op, const T (&items)[runs_items], int count,
                                            unsigned begins, const EndRun& end_run) {
  Partial sum = Partial::none();
  if (count == runs_items && begins == 0) {
    sum = Partial::of(items[0]);
#pragma unroll
    for (int j = 1; j < runs_items; ++j) sum.append(op, items[j]);
    return sum;
  }
#pragma unroll
  for (int j = 0; j < runs_items; ++j) {
    if (j < count) {
      if ((begins & (1U << j)) != 0) {
        end_run(j, sum);
        sum = Partial::none();
      }
      sum.append(op, items[j]);
    }
  }
  return sum;
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

/// Stores a run's value, unless the destination is too short. `end` is the element behind the run.
template <typename E, typename D, typename T>
__device__ void store_run(const E& e, const D& destination, index_t run, index_t end,
                          const T& sum) {
  if (run >= destination.size()) return;
  const auto value = static_cast<T>(e.op(static_cast<T>(e.seed), sum));
  if constexpr (is_keyed_runs_v<E>) {
    auto&& to = destination[run];
    auto& key = get<0>(to);
    key = static_cast<std::remove_reference_t<decltype(key)>>(e.keys[end - 1]);
    get<1>(to) = value;
  } else {
    store(destination[run], value);
  }
}

}  // namespace fettle::ndp::cuda::detail
