// platform::cuda: a GPU, as the stream that the work goes to and the memory that it may take.
#pragma once

#include <cuda_runtime_api.h>
#include <string_view>

#include <fettle/ndp/cuda/memory_resource.cuh>

namespace fettle::ndp::platform {

/// Work goes to the device that is current when execute() is called; the stream has to be one of
/// its.
struct cuda {
  static constexpr std::string_view name = "cuda";

  cudaStream_t stream = nullptr;
  ndp::cuda::memory_resource memory{};
};

}  // namespace fettle::ndp::platform
