// tbb::policy: the parameters of an implementation on oneTBB. Needs no oneTBB.
//
//   tbb::policy{.num_threads = 8, .level = {{.partitioner = tbb::partitioner_type::simple,
//                                            .grain_size = 64}}}
//   to_string(policy)      "num_threads=8 1.partitioner=simple 1.grain_size=64"
//   tbb::parse_policy("num_threads=8")
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/tbb/policy/partitioner.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::tbb {

using ndp::precision;

/// What performs a level that may run in parallel: one thread (with its vector lanes), or tasks
/// that other threads may steal. `automatic`: tasks on the outermost parallel level, one thread on
/// those inside it.
enum class execution_resource : std::uint8_t { automatic, thread, tasks };

[[nodiscard]] constexpr auto names_of(execution_resource /*any*/) noexcept {
  return std::array<std::string_view, 3>{"automatic", "thread", "tasks"};
}

/// The parameters of one nesting level.
struct level {
  int unroll =
      0;  // iterations of a sequential loop at a time: 1, 2, 4, 8; 0: the compiler's choice
  partitioner_type partitioner = partitioner_type::automatic;
  int grain_size = 0;  // elements that are not split further; 0: the kernel's choice
  execution_resource resource = execution_resource::automatic;

  [[nodiscard]] friend constexpr bool operator==(const level&, const level&) = default;
};

/// The parameters of an implementation on oneTBB.
struct policy {
  static constexpr std::string_view platform_name = "tbb";

  int num_threads = 0;  // of an arena for the computation; 0: those of the calling thread's arena
  int sample = 1;       // knobs (schedule/knobs.hpp): every how many tiles a reduce reads,
  int perforate = 1;    // every how many results a map computes,
  precision accumulation = precision::full;  // and in what sums of doubles add up
  per_level<tbb::level> level{};

  [[nodiscard]] friend constexpr bool operator==(const policy&, const policy&) = default;
};

/// Calls visit(level, name, name in reports, field) for every parameter; level 0 is the whole
/// computation's.
template <ndp::detail::fields_of<policy> Policy, typename Visit>
constexpr void visit_fields(Policy&& p, Visit&& visit) {
  visit(0, "num_threads", "num_threads", p.num_threads);
  ndp::detail::visit_knobs(p, visit);
  int number = 0;
  for (auto* its : {&p.level.first, &p.level.second, &p.level.third}) {
    ++number;
    visit(number, "partitioner", "partitioner", its->partitioner);
    visit(number, "grain_size", "grain_size", its->grain_size);
    visit(number, "resource", "execution_resource", its->resource);
    visit(number, "unroll", "enable_unroll", its->unroll);
  }
}

/// Calls visit(fields, holds, reason) for every limit. Tasks may be nested in tasks: of the
/// schedule the knobs' limits alone depend.
template <typename Visit>
constexpr void visit_limits(const policy& p, const schedule::nodes& nodes, Visit&& visit) {
  visit({"num_threads"}, p.num_threads >= 0,
        "num_threads must be positive, or 0 for the arena's threads");
  const int least =
      std::min({p.level.first.grain_size, p.level.second.grain_size, p.level.third.grain_size});
  visit({"grain_size"}, least >= 0, "grain_size must be positive, or 0 for the kernel's choice");
  const bool has_unroll = ndp::detail::is_unroll_factor(p.level.first.unroll) &&
                          ndp::detail::is_unroll_factor(p.level.second.unroll) &&
                          ndp::detail::is_unroll_factor(p.level.third.unroll);
  visit({"unroll"}, has_unroll, ndp::detail::unroll_factors_allowed);
  ndp::detail::visit_knob_limits(p, nodes, visit);
}

/// To text and back: see schedule/policy_text.hpp.
using ndp::to_string;
inline constexpr ndp::detail::policy_parser<policy> parse_policy{};

/// Why the policy cannot be used with the schedule; empty where it can.
template <ndp::detail::schedule_or_nodes S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, const S& given) noexcept {
  return ndp::detail::broken_limit(p, given);
}

}  // namespace fettle::ndp::tbb
