// openmp_nodes::policy: the parameters of an implementation over NUMA nodes: how many of them, what
// is divided equally, and the parameters of OpenMP on each.
//
//   openmp_nodes::policy{.nodes = 2, .partition = openmp_nodes::partition_by::work,
//                        .num_threads = 8}
//   to_string(policy)      "nodes=2 partition=work num_threads=8"
#pragma once

#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp_nodes {

using devices::partition_by;
using openmp::execution_resource;
using openmp::level;
using openmp::omp_schedule;

struct policy {
  static constexpr std::string_view platform_name = "openmp_nodes";

  // The platform's first ones, all where it has fewer; 0: as many as are estimated to be best.
  int nodes = 0;
  partition_by partition = partition_by::automatic;
  int num_threads = 0;  // of each node; 0: as many as it has CPUs
  bool enable_nesting = false;
  per_level<openmp::level> level{};

  /// What each node is given.
  [[nodiscard]] constexpr openmp::policy each() const {
    return {.num_threads = num_threads, .enable_nesting = enable_nesting, .level = level};
  }

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

/// The parameters of the division, then openmp::policy's.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  visit(0, "nodes", "nodes", p.nodes);
  visit(0, "partition", "partition", p.partition);
  openmp::detail::visit_thread_fields(p, visit);
}

/// To text and back: see schedule/policy_text.hpp.
using ndp::to_string;
inline constexpr ndp::detail::policy_parser<policy> parse_policy{};

/// Calls visit(fields, holds, reason) for every limit.
template <typename Visit>
constexpr void visit_limits(const policy& p, const schedule::nodes& nodes, Visit&& visit) {
  visit({"nodes"}, p.nodes >= 0 && p.nodes <= devices::most_devices,
        "nodes must be from 1 to 64, or 0 for the default rule's choice");
  openmp::visit_limits(p.each(), nodes, visit);
}

/// Why the policy cannot be used with the schedule; empty where it can.
template <ndp::detail::schedule_or_nodes S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, const S& given) noexcept {
  return ndp::detail::broken_limit(p, given);
}

}  // namespace fettle::ndp::openmp_nodes
