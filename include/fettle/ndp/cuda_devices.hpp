// platform::cuda_devices: several GPUs of one host. A table of contents; what is not listed here is
// an implementation detail. Without nvcc the platform can be named and asked for its rules, but not
// run.
//
//   platform::cuda_devices{0, 1}    where a computation runs; {}: all GPUs; emulated(0, n): one GPU
//                                   as if it were n
//   cuda_devices::policy            how many of them, what is divided equally, and CUDA's policy on
//                                   each
//   cuda_devices::array<T>          memory over several GPUs, with one address
//   cuda_devices::replicas<T>       a copy of an array on each GPU
//   platform_traits                 what the rest of the library asks of the platform
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda_devices/platform.hpp>       // platform::cuda_devices
#include <fettle/ndp/cuda_devices/policy/policy.hpp>  // policy, parse_policy, to_string
#include <fettle/ndp/cuda_devices/rules.hpp>
#include <fettle/ndp/devices.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

#ifdef __CUDACC__
#include <fettle/ndp/cuda_devices/array.cuh>     // array
#include <fettle/ndp/cuda_devices/replicas.cuh>  // replicas, replica, gathering
#include <fettle/ndp/cuda_devices/run.cuh>
#include <fettle/ndp/cuda_devices/training.cuh>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct platform_at<4> {
  using type = platform::cuda_devices;
};

#ifdef __CUDACC__
template <>
struct platform_traits<platform::cuda_devices>
    : cuda_devices::detail::rules, cuda_devices::detail::runner, cuda_devices::detail::training {
  static void describe_limits(json_writer& out) {
    cuda_devices::detail::rules::describe_limits(out);
    out.field("devices", platform::cuda_devices().size());
  }
};
#else
template <>
struct platform_traits<platform::cuda_devices> : cuda_devices::detail::rules {
  static constexpr bool times_calls = true;
};
#endif

}  // namespace fettle::ndp
