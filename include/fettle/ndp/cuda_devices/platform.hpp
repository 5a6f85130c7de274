// platform::cuda_devices, complete where nvcc compiles the file (platform.cuh). Elsewhere the type
// can be named, and making a value of it is an error that says what to do.
#pragma once

#ifdef __CUDACC__

#include <fettle/ndp/cuda_devices/platform.cuh>

#else

#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::platform {

// Another type than nvcc's, for a program of which nvcc compiles only some files.
inline namespace without_nvcc {

struct cuda_devices {
  static constexpr std::string_view name = "cuda_devices";
  static constexpr bool runs_on_host = false;

  template <typename... Arguments>
  explicit(sizeof...(Arguments) == 1) constexpr cuda_devices(Arguments&&... /*arguments*/) {
    static_assert(sizeof...(Arguments) > 1000,
                  "platform::cuda_devices needs nvcc: compile this file as CUDA (nvcc, or LANGUAGE "
                  "CUDA in CMake), or use platform::openmp_nodes");
  }
};

}  // namespace without_nvcc

}  // namespace fettle::ndp::platform

#endif
