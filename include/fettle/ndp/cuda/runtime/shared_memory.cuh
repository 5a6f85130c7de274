// allow_shared_memory: more shared memory for a block than the 48 KiB that every kernel may have.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether blocks of `Kernel` may have `Bytes` of dynamic shared memory on the current device; from
/// then on they may. CUDA is asked once for each device.
template <auto Kernel, std::size_t Bytes>
[[nodiscard]] bool allow_shared_memory(const computation& named) {
  if (Bytes > current_device_facts(named).shared_bytes_of_block) return false;
  static std::array<std::atomic<bool>, 64> allowed{};
  const auto device = static_cast<std::size_t>(current_device(named));
  if (device < allowed.size() && allowed[device].load(std::memory_order_relaxed)) return true;
  check(named,
        cudaFuncSetAttribute(reinterpret_cast<const void*>(Kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(Bytes)),
        "asking for shared memory");
  if (device < allowed.size()) allowed[device].store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace fettle::ndp::cuda::detail
