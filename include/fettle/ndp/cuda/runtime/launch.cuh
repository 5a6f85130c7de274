// launch: puts a kernel on a stream; every failure is a fettle::error that names the computation.
//
// Nothing here waits. What goes wrong while a kernel runs (an index outside memory) is reported by
// CUDA at the next call that checks: a later computation, or a wait for the stream.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What the user can do about a CUDA error; empty where CUDA's own text says it all.
[[nodiscard]] inline const char* remedy(cudaError_t status) noexcept {
  switch (status) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "; there is no GPU that this program can use: run it on platform::openmp";
    case cudaErrorMemoryAllocation:
      return "; free device memory or give the platform another memory resource";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "; compile for this GPU's architecture (nvcc -arch=native)";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
      return "; this or an earlier computation used memory that the GPU cannot reach: give "
             "sequences over device memory of the current device";
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
      return "; a kernel of this or an earlier computation was stopped";
    case cudaErrorInvalidResourceHandle:
      return "; the stream belongs to another device than the current one, or was destroyed";
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureImplicit:
    case cudaErrorStreamCaptureInvalidated:
      return "; a value cannot be waited for while the stream is captured: give a destination in "
             "device memory";
    case cudaErrorLaunchOutOfResources:
      return "; the block needs more registers than the GPU has: make block_size_x smaller";
    default:
      return "";
  }
}

[[noreturn]] inline void throw_cuda_error(const computation& named, cudaError_t status,
                                          const char* what) {
  cudaGetLastError();  // taken note of here: the next call's check must not find it again
  throw error(std::string(named.name) + ": " + what + " failed: " + cudaGetErrorString(status) +
              " (" + cudaGetErrorName(status) + ")" + remedy(status));
}

/// Throws where `status` is an error. `what` says what was tried, as in "copying the result".
inline void check(const computation& named, cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw_cuda_error(named, status, what);
}

/// Puts kernel<<<grid, block, shared_bytes>>>(arguments...) on the stream, in clusters of
/// `cluster_size` blocks.
template <typename... Parameters, typename... Arguments>
void launch_clusters(const computation& named, cudaStream_t stream, unsigned int cluster_size,
                     dim3 grid, dim3 block, std::size_t shared_bytes, void (*kernel)(Parameters...),
                     Arguments&&... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute cluster{};
  if (cluster_size > 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = cluster_size;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  check(named, cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...),
        "launching a kernel");
}

/// Puts kernel<<<grid, block, shared_bytes>>>(arguments...) on the stream; nothing for an empty
/// grid.
template <typename... Parameters, typename... Arguments>
void launch(const computation& named, cudaStream_t stream, dim3 grid, dim3 block,
            std::size_t shared_bytes, void (*kernel)(Parameters...), Arguments&&... arguments) {
  launch_clusters(named, stream, 1, grid, block, shared_bytes, kernel,
                  std::forward<Arguments>(arguments)...);
}

}  // namespace fettle::ndp::cuda::detail
