// launch: puts a kernel on a stream; every failure is a fettle::error that names the computation.
//
// Where the thread records (recording.hpp), work goes into the recording instead.
//
// Nothing here waits. What goes wrong while a kernel runs (an index outside memory) is reported by
// CUDA at the next call that checks: a later computation, or a wait for the stream.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/runtime/kernel_function.cuh>
#include <fettle/ndp/cuda/runtime/recording.hpp>
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

/// A kernel with all that a launch needs but its arguments.
struct kernel_launch {
  const void* kernel = nullptr;
  cudaStream_t stream = nullptr;
  dim3 grid{};
  dim3 block{};
  std::size_t shared_bytes = 0;
  unsigned int cluster_size = 1;
  bool early = false;  // may start while the kernel before it runs

  /// By the driver; where it refuses, by the runtime, whose error names the reason.
  [[nodiscard]] cudaError_t operator()(void** arguments) const {
    const launch_function launch = driver_launch();
    const CUfunction function = launch != nullptr ? kernel_functions::find(kernel) : nullptr;
    if (function != nullptr && by_driver(launch, function, arguments) == CUDA_SUCCESS) {
      return cudaSuccess;
    }
    return by_runtime(arguments);
  }

 private:
  [[nodiscard]] CUresult by_driver(launch_function launch, CUfunction function,
                                   void** arguments) const {
    CUlaunchAttribute attribute{};
    CUlaunchConfig config{.gridDimX = grid.x,
                          .gridDimY = grid.y,
                          .gridDimZ = grid.z,
                          .blockDimX = block.x,
                          .blockDimY = block.y,
                          .blockDimZ = block.z,
                          .sharedMemBytes = static_cast<unsigned int>(shared_bytes),
                          .hStream = stream,
                          .attrs = nullptr,
                          .numAttrs = 0};
    if (early) {
      attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
      attribute.value.programmaticStreamSerializationAllowed = 1;
    } else if (cluster_size > 1) {
      attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attribute.value.clusterDim.x = cluster_size;
      attribute.value.clusterDim.y = 1;
      attribute.value.clusterDim.z = 1;
    }
    if (early || cluster_size > 1) {
      config.attrs = &attribute;
      config.numAttrs = 1;
    }
    return launch(&config, function, arguments, nullptr);
  }

  [[nodiscard]] cudaError_t by_runtime(void** arguments) const {
    if (cluster_size <= 1 && !early) {
      return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    }
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    cudaLaunchAttribute attribute{};
    if (early) {
      attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute.val.programmaticStreamSerializationAllowed = 1;
    } else {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = cluster_size;
      attribute.val.clusterDim.y = 1;
      attribute.val.clusterDim.z = 1;
    }
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, arguments);
  }
};

/// Launches the kernel, or records it with copies of its arguments.
inline void launch_or_record(const computation& named, const kernel_launch& its, void** arguments,
                             const std::size_t* sizes, std::size_t count) {
  if (recording* const into = recording::current()) {
    into->add([named, its, copies = recorded_arguments(arguments, sizes, count)]() mutable {
      check(named, its(copies.addresses()), "launching a kernel");
    });
  } else {
    check(named, its(arguments), "launching a kernel");
  }
}

/// The kernel with its arguments, converted to its parameters' types.
template <typename... Parameters>
void launch_kernel(const computation& named, kernel_launch its, void (*kernel)(Parameters...),
                   const std::type_identity_t<std::remove_cvref_t<Parameters>>&... arguments) {
  if (its.grid.x == 0 || its.grid.y == 0 || its.grid.z == 0) return;
  its.kernel = reinterpret_cast<const void*>(kernel);
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(std::addressof(arguments)))...};
  constexpr std::size_t sizes[] = {sizeof(std::remove_cvref_t<Parameters>)...};
  launch_or_record(named, its, addresses, sizes, sizeof...(Parameters));
}

/// Calls call(), which puts work of a library on a stream, now or at every replay. What it refers
/// to is copied with it.
template <typename Call>
void call_or_record(const computation& named, const char* what, const Call& call) {
  if (recording* const into = recording::current()) {
    into->add([named, what, call]() mutable { check(named, call(), what); });
  } else {
    check(named, call(), what);
  }
}

/// Sets `bytes` bytes of device memory, in the order of the stream.
inline void set_bytes(const computation& named, cudaStream_t stream, void* memory, int byte,
                      std::size_t bytes, const char* what) {
  call_or_record(named, what, [=] { return cudaMemsetAsync(memory, byte, bytes, stream); });
}

/// Puts kernel<<<grid, block, shared_bytes>>>(arguments...) on the stream, in clusters of
/// `cluster_size` blocks.
template <typename... Parameters, typename... Arguments>
void launch_clusters(const computation& named, cudaStream_t stream, unsigned int cluster_size,
                     dim3 grid, dim3 block, std::size_t shared_bytes, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
  launch_kernel(named,
                {.stream = stream,
                 .grid = grid,
                 .block = block,
                 .shared_bytes = shared_bytes,
                 .cluster_size = cluster_size},
                kernel, arguments...);
}

/// Puts kernel<<<grid, block, shared_bytes>>>(arguments...) on the stream; nothing for an empty
/// grid.
template <typename... Parameters, typename... Arguments>
void launch(const computation& named, cudaStream_t stream, dim3 grid, dim3 block,
            std::size_t shared_bytes, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  launch_clusters(named, stream, 1, grid, block, shared_bytes, kernel, arguments...);
}

}  // namespace fettle::ndp::cuda::detail
