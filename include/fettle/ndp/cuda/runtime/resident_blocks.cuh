// resident_blocks: how many blocks of a kernel a multiprocessor holds at once, by its registers and
// shared memory. A grid of more than that runs in waves, each of which pays again for what a block
// does before and after its elements.
#pragma once

#include <atomic>
#include <cstdint>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of `Kernel` without dynamic shared memory, on the current device; at least 1. Asked of CUDA once
/// for the kernel, and again when another device is current than at the last call.
template <auto Kernel>
[[nodiscard]] int resident_blocks(const computation& named, int threads) {
  // The device above, the blocks below: one word, so that threads see either answer whole.
  static std::atomic<std::uint32_t> known{0};
  const auto device = static_cast<std::uint32_t>(current_device(named)) + 1;
  const std::uint32_t last = known.load(std::memory_order_relaxed);
  if (last >> 16U == device) return static_cast<int>(last & 0xFFFFU);
  int blocks = 0;
  check(named, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, threads, 0),
        "asking how many blocks a multiprocessor holds");
  if (blocks < 1) blocks = 1;
  known.store(device << 16U | static_cast<std::uint32_t>(blocks), std::memory_order_relaxed);
  return blocks;
}

}  // namespace fettle::ndp::cuda::detail
