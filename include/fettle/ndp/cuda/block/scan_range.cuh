// scan_range: the exclusive or inclusive scan of a range of a sequence by the members of one
// execution resource, tile after tile, with a carry that starts as the seed.
//
// A tile's elements are read before its results are written, so a scan may overwrite its source.
// Order is kept.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/cub_operator.cuh>
#include <fettle/ndp/cuda/block/lanes.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <block_scan_algorithm Algorithm>
inline constexpr cub::BlockScanAlgorithm cub_scan_algorithm_v =
    Algorithm == block_scan_algorithm::raking           ? cub::BLOCK_SCAN_RAKING
    : Algorithm == block_scan_algorithm::raking_memoize ? cub::BLOCK_SCAN_RAKING_MEMOIZE
                                                        : cub::BLOCK_SCAN_WARP_SCANS;

// What CUB asks for the value before a tile: the carry, which then takes in the tile's total.
template <typename Op, typename T>
struct carry_prefix {
  const Op& op;
  T carry;

  __device__ T operator()(const T& tile_total) {
    const T before = carry;
    carry = static_cast<T>(op(carry, tile_total));
    return before;
  }
};

template <int X, int Y, block_scan_algorithm Algorithm, int Items, bool Inclusive, typename Op,
          typename T, typename S, typename Store>
__device__ void scan_by_block(const Op& op, const S& s, index_t begin, index_t end, const T& seed,
                              Store store) {
  using scanner = cub::BlockScan<T, X, cub_scan_algorithm_v<Algorithm>, Y>;
  using exchange = cub::BlockExchange<T, X, Items, false, Y>;
  constexpr int threads = X * Y;
  __shared__ typename scanner::TempStorage scan_storage;
  carry_prefix<Op, T> prefix{op, seed};
  const auto typed = cub_operator<Op, T>(op);
  const int thread = thread_in_block();
  if constexpr (Items == 1) {
    for (index_t base = begin; base < end; base += threads) {
      const index_t i = base + thread;
      // Past the end any value does: nothing that is written comes after it.
      T item = i < end ? static_cast<T>(s[i]) : seed;
      if constexpr (Inclusive) {
        scanner(scan_storage).InclusiveScan(item, item, typed, prefix);
      } else {
        scanner(scan_storage).ExclusiveScan(item, item, typed, prefix);
      }
      if (i < end) store(i, item);
      __syncthreads();  // the storage is used again
    }
  } else {
    // Neighbours read neighbouring elements, but scan runs of them: exchanged in shared memory.
    __shared__ typename exchange::TempStorage exchange_storage;
    for (index_t base = begin; base < end; base += threads * Items) {
      T items[Items];
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        const index_t i = base + k * threads + thread;
        items[k] = i < end ? static_cast<T>(s[i]) : seed;
      }
      exchange(exchange_storage).StripedToBlocked(items, items);
      if constexpr (Inclusive) {
        scanner(scan_storage).InclusiveScan(items, items, typed, prefix);
      } else {
        scanner(scan_storage).ExclusiveScan(items, items, typed, prefix);
      }
      __syncthreads();
      exchange(exchange_storage).BlockedToStriped(items, items);
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        const index_t i = base + k * threads + thread;
        if (i < end) store(i, items[k]);
      }
      __syncthreads();
    }
  }
}

/// store(i, seed op s[begin] op ... op s[i - 1]) for all i of [begin, end), op s[i] too where
/// Inclusive. By all members of Resource; `Algorithm` and `Items`, what one thread scans at a time,
/// are for blocks.
template <typename Resource, block_scan_algorithm Algorithm, int Items, bool Inclusive>
struct range_scan {
  template <typename Op, typename T, typename S, typename Store>
  static __device__ void run(const Op& op, const S& s, index_t begin, index_t end, const T& seed,
                             Store store) {
    T value = seed;
    for (index_t i = begin; i < end; ++i) {
      const T next = static_cast<T>(op(value, s[i]));
      store(i, Inclusive ? next : value);
      value = next;
    }
  }
};

template <int Lanes, block_scan_algorithm Algorithm, int Items, bool Inclusive>
struct range_scan<warp_resource<Lanes>, Algorithm, Items, Inclusive> {
  template <typename Op, typename T, typename S, typename Store>
  static __device__ void run(const Op& op, const S& s, index_t begin, index_t end, const T& seed,
                             Store store) {
    scan_by_lanes<warp_resource<Lanes>, Inclusive>(op, s, begin, end, seed, store);
  }
};

template <int X, int Y, block_reduce_algorithm Reduce, block_scan_algorithm Algorithm, int Items,
          bool Inclusive>
struct range_scan<block_resource<X, Y, Reduce>, Algorithm, Items, Inclusive> {
  template <typename Op, typename T, typename S, typename Store>
  static __device__ void run(const Op& op, const S& s, index_t begin, index_t end, const T& seed,
                             Store store) {
    scan_by_block<X, Y, Algorithm, Items, Inclusive>(op, s, begin, end, seed, store);
  }
};

}  // namespace fettle::ndp::cuda::detail
