// openmp_nodes::policy: the parameters of an implementation over NUMA nodes: how many of them, what
// is divided equally, and the policy of OpenMP on each.
//
//   openmp_nodes::policy{.nodes = 2, .partition = devices::partition_by::work,
//                        .each = {.num_threads = 8}}
//   to_string(policy)      "nodes=2 partition=work num_threads=8"
#pragma once

#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp_nodes {

struct policy {
  static constexpr std::string_view platform_name = "openmp_nodes";

  int nodes = 0;  // the platform's first ones; 0: as many as the default rule estimates to be best
  devices::partition_by partition = devices::partition_by::automatic;
  openmp::policy each{};

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

/// As of openmp::policy, and the two parameters of the division before them.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  visit(0, "nodes", "nodes", p.nodes);
  visit(0, "partition", "partition", p.partition);
  visit_fields(p.each, visit);
}

[[nodiscard]] inline std::string to_string(const policy& p) { return ndp::detail::policy_text(p); }

[[nodiscard]] inline policy parse_policy(std::string_view text) {
  return ndp::detail::policy_of_text<policy>(text);
}

/// Why the policy cannot be used with the schedule; empty where it can.
[[nodiscard]] constexpr std::string_view violation(const policy& p,
                                                   const schedule::nodes& nodes) noexcept {
  if (p.nodes < 0 || p.nodes > devices::most_devices) {
    return "nodes must be from 1 to 64, or 0 for the default rule's choice";
  }
  return openmp::violation(p.each, nodes);
}

template <schedule::schedule_like S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, S /*schedule*/) noexcept {
  return violation(p, schedule::nodes_v<S>);
}

}  // namespace fettle::ndp::openmp_nodes
