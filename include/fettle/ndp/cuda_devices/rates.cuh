// rates: what the default rule assumes of GPUs and their links.
#pragma once

#include <cuda_runtime_api.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/cuda_devices/staging.cuh>
#include <fettle/ndp/devices/scaling.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// Bytes a microsecond in one direction, by NVIDIA's data sheets: NVLink of V100, A100 and H100,
/// else PCI Express 4.
[[nodiscard]] inline double link_bytes_per_us(const platform::cuda_devices& on) {
  int possible = 0;
  if (on.size() > 1 && on[0] != on[1] &&
      (cudaDeviceCanAccessPeer(&possible, on[0], on[1]) != cudaSuccess || possible == 0)) {
    cudaGetLastError();
    return 25e3;
  }
  int major = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on[0]) != cudaSuccess) {
    cudaGetLastError();
  }
  return major >= 9 ? 450e3 : major == 8 ? 300e3 : major == 7 ? 150e3 : 25e3;
}

[[nodiscard]] inline devices::scaling_rates rates_of(const computation& named,
                                                     const platform::cuda_devices& on) {
  const on_device current(on[0]);
  current.require(named);
  const cuda::detail::device_rates its = cuda::detail::current_device_facts(named).rates;
  return {.bytes = its.bytes, .link = link_bytes_per_us(on), .call = its.launch, .part = 4};
}

/// All of `e` and its destination; what lies on one device altogether, or on the host, is elsewhere
/// for the others.
template <typename E, typename D>
[[nodiscard]] devices::scaling_problem problem_of(const platform::cuda_devices& on, const E& e,
                                                  const D& destination) {
  devices::scaling_problem problem;
  const auto add = [&](const auto& leaf) {
    if (leaf.size() == 0) return;
    const double bytes =
        static_cast<double>(leaf.size()) * static_cast<double>(sizeof(*leaf.data()));
    problem.bytes += bytes;
    if (on.is_emulated()) return;
    const int first = location_of(on[0], leaf.data()).device;
    const int last = location_of(on[0], leaf.data() + (leaf.size() - 1)).device;
    if (first == last) problem.elsewhere += bytes;
  };
  for_each_leaf(e, add);
  if constexpr (!std::is_same_v<D, no_destination>) for_each_leaf(destination, add);
  return problem;
}

}  // namespace fettle::ndp::cuda_devices::detail
