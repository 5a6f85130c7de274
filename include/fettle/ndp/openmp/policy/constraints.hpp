// The limits of policies on OpenMP, as predicates with reasons.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// Calls visit(fields, holds, reason) for every limit: the fields of the policy that it reads,
/// whether the policy keeps it, and what is wrong where it does not.
template <typename Visit>
constexpr void visit_limits(const policy& p, const schedule::nodes& nodes, Visit&& visit) {
  visit({"num_threads"}, p.num_threads >= 0,
        "num_threads must be positive, or 0 for OpenMP's default");
  bool has_chunks = true;
  bool has_unroll = true;
  for (int i = 0; i < p.level.count; ++i) {
    has_chunks = has_chunks && p.level[i].chunk_size >= 0;
    has_unroll = has_unroll && ndp::detail::is_unroll_factor(p.level[i].unroll);
  }
  visit({"chunk_size"}, has_chunks, "chunk_size must be positive, or 0 for OpenMP's default");
  visit({"unroll"}, has_unroll, ndp::detail::unroll_factors_allowed);
  int level = 1;
  bool in_parallel = false;  // is a level above this one parallel?
  bool nests = false;
  for (const schedule::kind node : nodes) {
    const bool parallel = node != schedule::kind::sequential;
    const bool team = p.level[level - 1].resource == execution_resource::team;
    nests = nests || (parallel && in_parallel && team);
    in_parallel = in_parallel || parallel;
    level += schedule::levels_covered(node);
  }
  visit({"enable_nesting", "resource"}, !nests || p.enable_nesting,
        "a team inside a parallel level opens nested parallel regions: set enable_nesting, or "
        "use resource=thread");
  ndp::detail::visit_knob_limits(p, nodes, visit);
}

/// Why the policy cannot be used with the schedule; empty where it can.
template <ndp::detail::schedule_or_nodes S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, const S& given) noexcept {
  return ndp::detail::broken_limit(p, given);
}

}  // namespace fettle::ndp::openmp
