// driver_function: a function of CUDA's driver, found at run time, so that programs need not link
// it.
#pragma once

#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Null where this driver has no function of that name; `status` says whether the question failed.
template <typename F>
[[nodiscard]] F driver_function(const char* name, cudaError_t& status) noexcept {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  status = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  return status == cudaSuccess ? reinterpret_cast<F>(found) : nullptr;
}

}  // namespace fettle::ndp::cuda::detail
