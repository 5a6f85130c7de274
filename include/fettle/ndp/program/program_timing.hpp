// program_timing: how long a program takes, and which of its fusions is the fastest: p.tune().
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Seconds of an execution, of `count` in a row.
template <typename Platform>
[[nodiscard]] double seconds_of_executions(program_contents<Platform>& its, const Platform& on,
                                           std::size_t count) {
  const auto run = [&] {
    for (std::size_t i = 0; i < count; ++i) its.execute(on);
  };
  double seconds = 0;
  if constexpr (platform_traits<Platform>::times_calls) {
    seconds = platform_traits<Platform>::seconds(on, false, run);
  } else {
    const timer clock;
    run();
    seconds = clock.seconds();
  }
  return seconds / static_cast<double>(count);
}

/// Plans the fastest fusion that is allowed, each measured by the least of `repetitions`
/// executions after two that are not counted. What was fused before stays unless another fusion is
/// faster by more than 2 %.
template <typename Platform>
void plan_fastest_fusion(program_contents<Platform>& its, const Platform& on, int repetitions) {
  const auto seconds_with = [&](const fusion& fused) {
    its.plan(fused, "by tune()");
    its.execute(on);
    its.execute(on);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repetitions; ++i) {
      least = std::min(least, seconds_of_executions(its, on, 1));
    }
    return least;
  };
  fusion best = its.fused_now();
  double least = seconds_with(best) * 0.98;
  for (const fusion& fused : its.allowed_fusions()) {
    if (fused == best) continue;
    const double seconds = seconds_with(fused);
    if (seconds >= least) continue;
    least = seconds;
    best = fused;
  }
  its.plan(std::move(best), "by tune()");
}

}  // namespace fettle::ndp::detail
