// The limits of policies on OpenMP, as predicates with reasons.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

/// Why the policy cannot be used with the schedule; empty where it can.
[[nodiscard]] constexpr std::string_view violation(const policy& p,
                                                   const schedule::nodes& nodes) noexcept {
  if (p.num_threads < 0) return "num_threads must be positive, or 0 for OpenMP's default";
  for (int i = 0; i < p.level.count; ++i) {
    if (p.level[i].chunk_size < 0) return "chunk_size must be positive, or 0 for OpenMP's default";
  }
  int level = 1;
  bool in_parallel = false;  // is a level above this one parallel?
  for (const schedule::kind node : nodes) {
    const bool parallel = node != schedule::kind::sequential;
    const bool team = p.level[level - 1].resource == execution_resource::team;
    if (parallel && in_parallel && team && !p.enable_nesting) {
      return "a team inside a parallel level opens nested parallel regions: set enable_nesting, or "
             "use resource=thread";
    }
    in_parallel = in_parallel || parallel;
    level += schedule::levels_covered(node);
  }
  return {};
}

/// Whether a computation takes a team of threads by this schedule and policy, as far as OpenMP
/// gives one.
[[nodiscard]] constexpr bool takes_team(const policy& p, const schedule::nodes& nodes) noexcept {
  if (p.num_threads == 1) return false;
  int level = 1;
  for (const schedule::kind node : nodes) {
    const bool parallel = node != schedule::kind::sequential;
    if (parallel && p.level[level - 1].resource != execution_resource::thread) return true;
    level += schedule::levels_covered(node);
  }
  return false;
}

template <schedule::schedule_like S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, S /*schedule*/) noexcept {
  return violation(p, schedule::nodes_v<S>);
}

}  // namespace fettle::ndp::openmp
