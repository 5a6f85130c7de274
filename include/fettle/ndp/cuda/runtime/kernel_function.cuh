// kernel_function: a kernel as the driver launches it, found once a thread and device.
//
// The runtime's launches find a kernel anew each time, which takes longer the longer its name is:
// 1.75 ns a character on an H100 (driver 580). A kernel's name holds its whole expression; with one
// of 366 characters a launch took 4.4 us, where it took 3.7 with a short name.
//
// What is kept is good as long as the library with the kernel is loaded and its device is not
// reset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/driver_function.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Of the calling thread: the runtime makes a device's context the thread's when it is asked for
/// the first function, and the driver needs one.
class kernel_functions {
 public:
  /// Of the current device; null where the runtime has none, which a launch by it explains.
  [[nodiscard]] static CUfunction find(const void* kernel) noexcept {
    int device = 0;
    if (call_facts::of_thread().ask_device(device) != cudaSuccess) return nullptr;
    thread_local kernel_functions known;
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(kernel)) +
                      static_cast<std::uint64_t>(device);
    entry& at = known.entries_[(bits * 0x9E3779B97F4A7C15U) >> (64U - index_bits)];
    if (at.kernel != kernel || at.device != device) {
      cudaFunction_t found = nullptr;
      if (cudaGetFuncBySymbol(&found, kernel) != cudaSuccess) {
        cudaGetLastError();  // the launch reports it
        return nullptr;
      }
      at = {kernel, device, found};
    }
    return at.function;
  }

 private:
  static constexpr unsigned index_bits = 8;
  struct entry {
    const void* kernel = nullptr;
    int device = 0;
    CUfunction function = nullptr;
  };
  std::array<entry, std::size_t{1} << index_bits> entries_{};
};

using launch_function = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);

/// The driver's cuLaunchKernelEx, for the default stream that this program is compiled for.
[[nodiscard]] inline launch_function driver_launch() noexcept {
  static const launch_function found = [] {
    cudaError_t status = cudaSuccess;
    const auto launch = driver_function<launch_function>("cuLaunchKernelEx", status);
    if (status != cudaSuccess) cudaGetLastError();  // the runtime launches, then
    return launch;
  }();
  return found;
}

}  // namespace fettle::ndp::cuda::detail
