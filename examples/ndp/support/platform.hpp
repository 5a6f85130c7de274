// What differs between the builds of an example: the platform, and who owns memory that it can use.
//
// The same source is compiled as C++ for OpenMP and through nvcc for CUDA. Everything below the
// main function is written for a template parameter Platform; this file says which one the program
// is for.
#pragma once

#include <vector>

#include <fettle/ndp.hpp>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#endif

namespace examples {

namespace ndp = fettle::ndp;

/// memory<Platform>::vector<T> owns elements where the platform computes.
template <typename Platform>
struct memory;

template <>
struct memory<ndp::platform::openmp> {
  template <typename T>
  using vector = std::vector<T>;
};

/// Waits for what was enqueued: on the processor, execute() returns when the work is done.
inline void wait(const ndp::platform::openmp& /*on*/) {}

#ifdef __CUDACC__

template <>
struct memory<ndp::platform::cuda> {
  template <typename T>
  using vector = thrust::device_vector<T>;
};

inline void wait(const ndp::platform::cuda& on) {
  if (const cudaError_t status = cudaStreamSynchronize(on.stream); status != cudaSuccess) {
    throw fettle::error(std::string("CUDA: ") + cudaGetErrorString(status));
  }
}

using platform_type = ndp::platform::cuda;

#else

using platform_type = ndp::platform::openmp;

#endif

template <typename Platform, typename T>
using vector_on = typename memory<Platform>::template vector<T>;

/// The elements, where the platform can use them.
template <typename Platform, typename T>
[[nodiscard]] vector_on<Platform, T> copy_to(const Platform& /*on*/, const std::vector<T>& host) {
  return {host.begin(), host.end()};
}

/// The elements, where the program can look at them.
template <typename T>
[[nodiscard]] std::vector<T> copy_to_host(const std::vector<T>& elements) {
  return elements;
}

#ifdef __CUDACC__
template <typename T>
[[nodiscard]] std::vector<T> copy_to_host(const thrust::device_vector<T>& elements) {
  std::vector<T> host(elements.size());
  thrust::copy(elements.begin(), elements.end(), host.begin());
  return host;
}
#endif

/// A read-only view over a vector of either kind.
template <typename Vector>
[[nodiscard]] auto read_only(const Vector& elements) {
  return ndp::sequence<const typename Vector::value_type>(ndp::make_sequence(elements));
}

}  // namespace examples
