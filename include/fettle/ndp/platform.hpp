// Platforms: where a computation runs.
//
//   platform::openmp{}                  the processor's cores, by OpenMP (serial without -fopenmp)
//   platform::cuda{stream, &resource}   a GPU, on a stream and with memory from a resource; both
//                                       have defaults
//
// platform::cuda is complete where nvcc compiles the file (cuda/platform.cuh). Elsewhere the type
// can be named, so that schedules, parameters and constraints can be asked about it, and making a
// value of it is an error that says what to do.
#pragma once

#include <concepts>
#include <string_view>

namespace fettle::ndp {

/// A platform has a name, the namespace and folder of its kernels.
template <typename P>
concept platform_like = requires {
  { P::name } -> std::convertible_to<std::string_view>;
};

namespace platform {

struct openmp {
  static constexpr std::string_view name = "openmp";
};

#ifndef __CUDACC__

// Another type than nvcc's platform::cuda, for a program of which nvcc compiles only some files.
inline namespace without_nvcc {

struct cuda {
  static constexpr std::string_view name = "cuda";

  template <typename... Arguments>
  explicit(sizeof...(Arguments) == 1) constexpr cuda(Arguments&&... /*arguments*/) {
    static_assert(sizeof...(Arguments) > 1000,
                  "platform::cuda needs nvcc: compile this file as CUDA (nvcc, or LANGUAGE CUDA in "
                  "CMake), or use platform::openmp");
  }
};

}  // namespace without_nvcc

#endif

}  // namespace platform
}  // namespace fettle::ndp

#ifdef __CUDACC__
#include <fettle/ndp/cuda/platform.cuh>
#endif
