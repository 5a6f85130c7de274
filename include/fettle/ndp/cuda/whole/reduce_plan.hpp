// How a device-wide reduction or scan is distributed over blocks. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Where chunk number `chunk` begins if [0, count) is cut, at multiples of `unit`, into `chunks`
/// whose lengths differ by at most one unit. Chunk number `chunks` begins at `count`.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t chunk_begin(index_t chunk, index_t chunks,
                                                               index_t count,
                                                               index_t unit) noexcept {
  const index_t units = ceiling_quotient(count, unit);
  // A GPU divides 64 bits in a tenth of a microsecond, which a small reduction would notice.
  const bool is_small = (units | chunks) <= index_t{UINT32_MAX};
  const index_t each =
      is_small ? index_t{static_cast<std::uint32_t>(units) / static_cast<std::uint32_t>(chunks)}
               : units / chunks;
  const index_t longer = units - each * chunks;  // the number of first chunks with one unit more
  // Unsigned, because the last unit may end past the largest index.
  const auto begin = static_cast<std::uint64_t>(chunk * each + (chunk < longer ? chunk : longer)) *
                     static_cast<std::uint64_t>(unit);
  return begin < static_cast<std::uint64_t>(count) ? static_cast<index_t>(begin) : count;
}

/// Elements of a thread that are not worth another block: about 64 bytes, which a thread has on
/// their way at once.
[[nodiscard]] constexpr index_t few_elements_of(std::size_t element_bytes) noexcept {
  return element_bytes >= 64  ? 2
         : element_bytes > 32 ? 4
         : element_bytes >= 8 ? 8
         : element_bytes >= 4 ? 16
                              : 32;
}

/// Whether one block of `threads` reduces `count` elements, of which each reads `element_bytes`: it
/// has no other to wait for, which takes as long as some elements more.
[[nodiscard]] constexpr bool one_block_reduces(index_t count, std::size_t element_bytes,
                                               int threads) noexcept {
  return count <= index_t{threads} * few_elements_of(element_bytes) * 2;
}

/// The blocks of `threads` for a larger reduction. A multiprocessor holds `resident` of them: few
/// where values are wide, and more would only combine more often.
[[nodiscard]] constexpr int plan_reduce(index_t count, std::size_t element_bytes, int threads,
                                        int multiprocessors, int resident) noexcept {
  const index_t few_elements = few_elements_of(element_bytes);
  // A quarter of the threads that the GPU holds, down to a few elements each: there is less to
  // combine, and fewer blocks count themselves one after the other.
  // All of them where each has much to do: what counts then is how many loads are under way.
  const auto at_most = [&](int threads_of_a_multiprocessor, index_t elements) {
    int each = threads < threads_of_a_multiprocessor ? threads_of_a_multiprocessor / threads : 1;
    if (each > resident) each = resident;
    const index_t most = index_t{multiprocessors} * each;
    const index_t wanted = ceiling_quotient(count, threads * elements);
    return static_cast<int>(wanted < most ? wanted : most);
  };
  const int some = at_most(512, few_elements / 2);
  const int all = at_most(2048, few_elements * 2);
  return some < all ? all : some;
}

/// What every GPU with clusters can put into one.
inline constexpr int most_blocks_of_cluster = 8;
/// Up to so many bytes one cluster scans, which reads them twice, faster than CUB's two launches.
inline constexpr std::size_t most_scanned_bytes_of_cluster = std::size_t{256} * 1024;

/// The blocks of the cluster that scans `count` elements of `element_bytes`, of which a block takes
/// `tile` at a time; 0: too many for one cluster.
[[nodiscard]] constexpr int plan_scan(index_t count, std::size_t element_bytes, index_t tile,
                                      bool has_clusters) noexcept {
  constexpr index_t most_tiles_of_block = 2;
  const index_t tiles = ceiling_quotient(count, tile);
  if (tiles <= 1) return 1;
  const int most = has_clusters ? most_blocks_of_cluster : 1;
  const bool is_short =
      static_cast<std::size_t>(count) <= most_scanned_bytes_of_cluster / element_bytes;
  if (!is_short || tiles > most * most_tiles_of_block) return 0;
  int blocks = 1;
  while (blocks < tiles && blocks < most) blocks *= 2;
  return blocks;
}

/// Up to so many bytes of results one kernel scans, which reads its elements twice, faster than
/// CUB.
inline constexpr std::size_t most_posted_scan_bytes = std::size_t{4} << 20;

/// The blocks of `threads` that scan `count` elements with results of `element_bytes` by posts
/// (scan_by_posts.cuh), of which a block takes `tile` at a time: a thread for each to read its
/// post. 0: too many elements.
[[nodiscard]] constexpr int plan_posted_scan(index_t count, std::size_t element_bytes, index_t tile,
                                             int threads, int multiprocessors) noexcept {
  if (static_cast<std::size_t>(count) > most_posted_scan_bytes / element_bytes) return 0;
  const index_t tiles = ceiling_quotient(count, tile);
  index_t most = index_t{2} * multiprocessors;
  if (most > threads) most = threads;
  return static_cast<int>(tiles < most ? tiles : most);
}

}  // namespace fettle::ndp::cuda::detail
