// platform::cuda: a GPU. A table of contents; what is not listed here is an implementation detail.
// Without nvcc the platform can be named and asked for its rules, but not run.
//
//   platform::cuda        where a computation runs: a stream, and memory from a resource
//   cuda::policy          how: blocks, warps, grain sizes, algorithms; its values, text form and
//                         limits
//   cuda::memory_resource  where a computation's temporary memory comes from
//   cuda::is_costly_v     whether elements cost more than their loads; to be specialised
//   platform_traits       what the rest of the library asks of the platform
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>  // is_costly_v
#include <fettle/ndp/cuda/dispatch/rules.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>  // violation, workload, device_limits
#include <fettle/ndp/cuda/policy/policy.hpp>       // policy, level, parse_policy, to_string
#include <fettle/ndp/cuda/runtime/platform.hpp>    // platform::cuda
#include <fettle/ndp/schedule/platform_traits.hpp>

#ifdef __CUDACC__
#include <fettle/ndp/cuda/dispatch/explain.cuh>
#include <fettle/ndp/cuda/dispatch/run.cuh>
#include <fettle/ndp/cuda/dispatch/training.cuh>
#include <fettle/ndp/cuda/runtime/memory_resource.cuh>  // memory_resource, stream_ordered_resource
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct platform_at<0> {
  using type = platform::cuda;
};

#ifdef __CUDACC__
template <>
struct platform_traits<platform::cuda>
    : cuda::detail::rules, cuda::detail::runner, cuda::detail::training {};
#else
template <>
struct platform_traits<platform::cuda> : cuda::detail::rules {
  static constexpr bool times_calls = true;
};
#endif

}  // namespace fettle::ndp
