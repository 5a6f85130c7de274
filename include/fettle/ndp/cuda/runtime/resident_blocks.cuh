// resident_blocks: how many blocks of a kernel a multiprocessor holds at once, by its registers and
// shared memory. A grid of more than that runs in waves, each of which pays again for what a block
// does before and after its elements.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of `Kernel` with blocks of `Threads` and no dynamic shared memory, on the current device; at
/// least 1. CUDA is asked once for each device.
template <auto Kernel, int Threads>
[[nodiscard]] int resident_blocks(const computation& named) {
  static std::array<std::atomic<int>, 64> known{};  // 0: not asked
  const auto device = static_cast<std::size_t>(current_device(named));
  if (device < known.size()) {
    if (const int blocks = known[device].load(std::memory_order_relaxed); blocks > 0) return blocks;
  }
  int blocks = 0;
  check(named, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, Threads, 0),
        "asking how many blocks a multiprocessor holds");
  blocks = std::max(blocks, 1);
  if (device < known.size()) known[device].store(blocks, std::memory_order_relaxed);
  return blocks;
}

}  // namespace fettle::ndp::cuda::detail
