// pointer_attributes: what CUDA says of an address, also in a thread that has not used the GPU yet.
#pragma once

#include <cuda_runtime_api.h>
#include <optional>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// For the current device; nothing where CUDA does not know the address. About 0.1 us.
[[nodiscard]] inline std::optional<cudaPointerAttributes> pointer_attributes(
    const void* address) noexcept {
  cudaPointerAttributes found{};
  cudaError_t status = cudaPointerGetAttributes(&found, address);
  if (status == cudaSuccess && found.type != cudaMemoryTypeUnregistered &&
      found.devicePointer == nullptr) {
    // Out of reach, or the thread has no context yet: then CUDA says so of all addresses.
    int device = 0;
    if (cudaGetDevice(&device) == cudaSuccess && cudaSetDevice(device) == cudaSuccess) {
      status = cudaPointerGetAttributes(&found, address);
    }
  }
  if (status == cudaSuccess) return found;
  cudaGetLastError();
  return std::nullopt;
}

}  // namespace fettle::ndp::cuda::detail
