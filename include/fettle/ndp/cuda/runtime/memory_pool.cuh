// The pool that temporaries come from where the user gives no memory resource: one a device,
// Fettle's own.
//
// CUDA's default pool gives its memory back to the system at every synchronisation, so that the
// next computation waits for it to be mapped anew; changing that setting would change it for the
// whole program. This pool keeps what it has until the program ends.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/relaxed_capture.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The current device's pool; null, with the reason in `status`, where CUDA makes none. Made at the
/// first call for a device, without a lock: of two that are made at once, one is destroyed.
[[nodiscard]] inline cudaMemPool_t memory_pool(cudaError_t& status) noexcept {
  static std::array<std::atomic<cudaMemPool_t>, 64> pools{};
  int device = 0;
  status = call_facts::of_thread().ask_device(device);
  if (status != cudaSuccess) return nullptr;
  if (device >= static_cast<int>(pools.size())) {
    cudaMemPool_t shared = nullptr;
    status = cudaDeviceGetDefaultMemPool(&shared, device);
    return shared;
  }
  auto& kept = pools[static_cast<std::size_t>(device)];
  if (cudaMemPool_t there = kept.load(std::memory_order_acquire)) return there;

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t made = nullptr;
  // The first computation may be one that is captured; this is not part of what is captured.
  const relaxed_capture relaxed;
  status = cudaMemPoolCreate(&made, &properties);
  std::uint64_t keep_all = UINT64_MAX;
  if (status == cudaSuccess) {
    status = cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &keep_all);
  }
  if (made == nullptr) return nullptr;
  cudaMemPool_t expected = nullptr;
  if (!kept.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) {
    cudaMemPoolDestroy(made);
    return expected;
  }
  return made;
}

}  // namespace fettle::ndp::cuda::detail
