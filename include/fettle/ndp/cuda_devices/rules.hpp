// rules: the limits and parameters of implementations over several GPUs. Needs no CUDA.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/dispatch/rules.hpp>
#include <fettle/ndp/cuda_devices/policy/policy.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

// Not in the class: nvcc writes it in a way that g++ does not take there.
using default_constant = constant<cuda_devices::policy{}>;

struct rules : cuda::detail::rules {
  using policy = cuda_devices::policy;
  using default_policy = default_constant;

  [[nodiscard]] static constexpr std::string_view violation(const policy& p,
                                                            const schedule::nodes& nodes) noexcept {
    return cuda_devices::violation(p, nodes);
  }
  [[nodiscard]] static constexpr bool is_restricted(const policy& p,
                                                    const schedule::nodes& nodes) noexcept {
    return cuda::detail::rules::is_restricted(p.each(), nodes);
  }
  static constexpr void global_parameters(parameter_list& out) {
    out.insert({"devices"});
    out.insert({"partition"});
    cuda::detail::rules::global_parameters(out);
  }
};

}  // namespace fettle::ndp::cuda_devices::detail
