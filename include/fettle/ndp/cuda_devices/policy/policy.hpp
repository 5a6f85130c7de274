// cuda_devices::policy: the parameters of an implementation over several GPUs: how many of them,
// what is divided equally, and the parameters of CUDA on each. Needs no CUDA.
//
//   cuda_devices::policy{.devices = 2, .partition = cuda_devices::partition_by::work,
//                        .block_size_x = 128}
//   to_string(policy)      "devices=2 partition=work block_size_x=128"
#pragma once

#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices {

using cuda::block_reduce_algorithm;
using cuda::block_scan_algorithm;
using cuda::execution_resource;
using cuda::level;
using ndp::devices::partition_by;

struct policy {
  static constexpr std::string_view platform_name = "cuda_devices";

  // The platform's first ones, all where it has fewer; 0: as many as are estimated to be best.
  int devices = 0;
  partition_by partition = partition_by::automatic;
  int block_size_x = 256;
  int block_size_y = 1;
  int logical_warp_size = 32;
  per_level<cuda::level> level{};

  /// What each device is given.
  [[nodiscard]] constexpr cuda::policy each() const {
    return {.block_size_x = block_size_x,
            .block_size_y = block_size_y,
            .logical_warp_size = logical_warp_size,
            .level = level};
  }

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

/// The parameters of the division, then cuda::policy's.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  visit(0, "devices", "devices", p.devices);
  visit(0, "partition", "partition", p.partition);
  cuda::detail::visit_block_fields(p, visit);
}

/// To text and back: see schedule/policy_text.hpp.
using ndp::to_string;
inline constexpr ndp::detail::policy_parser<policy> parse_policy{};

/// Calls visit(fields, holds, reason) for every limit.
template <typename Visit>
constexpr void visit_limits(const policy& p, const schedule::nodes& nodes,
                            const cuda::workload& work, const cuda::device_limits& device,
                            Visit&& visit) {
  visit({"devices"}, p.devices >= 0 && p.devices <= ndp::devices::most_devices,
        "devices must be from 1 to 64, or 0 for the default rule's choice");
  cuda::visit_limits(p.each(), nodes, work, device, visit);
}

/// Why the policy cannot be used with the schedule; empty where it can.
template <ndp::detail::schedule_or_nodes S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, const S& given) noexcept {
  return ndp::detail::broken_limit(p, given, cuda::workload{}, cuda::device_limits{});
}

}  // namespace fettle::ndp::cuda_devices
