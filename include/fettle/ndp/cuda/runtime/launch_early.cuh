// launch_early: a kernel that is on its way while the one before it still runs, so that the second
// costs little more than its own work (CUDA's programmatic dependent launch).
#pragma once

#include <cuda_runtime.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Puts kernel<<<grid, block>>>(arguments...) on the stream. The kernel's threads call
/// wait_for_kernel_before() first, those of the kernel before it allow_next_kernel(). GPUs before
/// compute capability 9 start the kernel when the one before it is done.
template <typename... Parameters, typename... Arguments>
void launch_early(const computation& named, cudaStream_t stream, dim3 grid, dim3 block,
                  void (*kernel)(Parameters...), const Arguments&... arguments) {
  launch_kernel(named,
                {.stream = stream,
                 .grid = grid,
                 .block = block,
                 .early = current_device_facts(named).starts_kernels_early()},
                kernel, arguments...);
}

/// In a kernel that launch_early() started: what the kernel before it wrote is there.
__device__ inline void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// From here on the blocks of a kernel that launch_early() starts may take what room there is.
__device__ inline void allow_next_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace fettle::ndp::cuda::detail
