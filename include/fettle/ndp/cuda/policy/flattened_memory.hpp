// How many steps of a flattened computation a thread takes, and the shared memory that its block
// needs for them. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// How many steps a thread takes: `grain` times a base that suits the type, as far as the shared
/// memory of a block goes, and odd, so that threads at that distance use different banks.
[[nodiscard]] constexpr int steps_per_thread(int threads, int grain, std::size_t value_bytes) {
  constexpr std::size_t shared_bytes = 44 * 1024;  // of 48 KiB
  constexpr int most = 31;                         // a bit each, in 32
  const std::size_t step_bytes = value_bytes + 2 * sizeof(std::uint16_t);
  const auto room =
      static_cast<int>(shared_bytes / (step_bytes * static_cast<std::size_t>(threads)));
  const int base = value_bytes <= 8 ? 11 : value_bytes <= 16 ? 7 : 3;
  int steps = base * grain;
  if (steps > most) steps = most;
  if (steps > room) steps = room;
  if (steps < 1) steps = 1;
  return steps % 2 == 0 ? steps - 1 : steps;
}

/// Tiles whose carries one block combines: it takes a round of loads for each `threads` of them,
/// and two rounds take less time than another launch.
[[nodiscard]] constexpr index_t most_tiles_combined_here(int threads) {
  return index_t{2} * threads;
}

/// Their steps, of tiles of 256 threads: the wider the values are, the fewer.
[[nodiscard]] constexpr index_t most_steps_combined_here(std::size_t value_bytes) {
  constexpr int threads = 256;
  return most_tiles_combined_here(threads) * threads * steps_per_thread(threads, 1, value_bytes);
}

/// A value and whether there is one (partial_value.hpp): a flag, and what aligns it.
[[nodiscard]] constexpr std::size_t partial_bytes(std::size_t value_bytes) {
  return value_bytes + (value_bytes < 8 ? value_bytes : 8);
}

/// What CUB keeps to combine a value of every thread. An algorithm that rakes has a slot for each,
/// and one more for each of its 32 lanes where these would else use the same banks.
[[nodiscard]] constexpr std::size_t block_reduce_bytes(block_reduce_algorithm algorithm,
                                                       std::size_t threads, std::size_t partial) {
  const std::size_t warps = threads / 32;
  if (algorithm == block_reduce_algorithm::warp_reductions) return (warps + 1) * partial + warps;
  return (threads + (warps % 2 == 0 ? 32 : 0)) * partial;
}

/// The shared memory of a block of flattened_scan.cuh, as nvcc counts it for values that are
/// aligned to 8 bytes: a tile, its warps' carries, and its bounds. At least 32 threads.
[[nodiscard]] constexpr std::size_t flattened_scan_memory(int threads, int grain,
                                                          std::size_t value_bytes) {
  const auto all = static_cast<std::size_t>(threads);
  const auto steps = static_cast<std::size_t>(steps_per_thread(threads, grain, value_bytes));
  const std::size_t tile = all * steps;
  const std::size_t warps = all / 32;
  return tile * (value_bytes + sizeof(std::uint16_t)) + warps * (partial_bytes(value_bytes) + 1) +
         64;
}

/// ... of flattened_reduce.cuh. A block whose threads are a power of two may combine the
/// carries of several tiles in the tile's memory; where the operator commutes, threads reduce a
/// long row together.
[[nodiscard]] constexpr std::size_t flattened_reduce_memory(int threads, int grain,
                                                            std::size_t value_bytes,
                                                            bool is_commutative,
                                                            block_reduce_algorithm algorithm) {
  const std::size_t for_scan = flattened_scan_memory(threads, grain, value_bytes);
  const int steps = steps_per_thread(threads, grain, value_bytes);
  const auto all = static_cast<std::size_t>(threads);
  const std::size_t partial = partial_bytes(value_bytes);
  const std::size_t tile =
      all * static_cast<std::size_t>(steps) * (value_bytes + sizeof(std::uint16_t));
  const std::size_t combined =
      (threads & (threads - 1)) == 0 ? all * partial + all / 32 * sizeof(std::uint32_t) : 0;
  return for_scan + (combined > tile ? combined - tile : 0) +
         (is_commutative ? block_reduce_bytes(algorithm, all, partial) : 0);
}

}  // namespace fettle::ndp::cuda::detail
