// Which of Thrust's backends is the reference: CUDA's, or the one for OpenMP, for which the program
// is compiled with THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP.
#pragma once

#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/schedule/platform.hpp>

#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#else
#include <thrust/system/omp/execution_policy.h>
#endif

namespace ndp_tuned {

#ifdef __CUDACC__
[[nodiscard]] inline auto thrust_policy(const fettle::ndp::platform::cuda& on) {
  return thrust::cuda::par.on(on.stream);
}
#else
[[nodiscard]] inline auto thrust_policy(const fettle::ndp::platform::openmp& /*on*/) {
  return thrust::omp::par;
}
#endif

}  // namespace ndp_tuned
