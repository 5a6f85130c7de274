// platform::cuda: a GPU, as the stream that the work goes to and the memory that it may take.
#pragma once

#include <cuda_runtime_api.h>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/memory_resource.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::platform {

/// Work goes to the device that is current when execute() is called; the stream has to be one of
/// its.
struct cuda {
  static constexpr std::string_view name = "cuda";
  static constexpr bool runs_on_host = false;

  cudaStream_t stream = nullptr;
  ndp::cuda::memory_resource memory{};
};

}  // namespace fettle::ndp::platform
