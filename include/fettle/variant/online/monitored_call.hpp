// A call of a tuned function whose policy says monitor: timed now and then, and turned away from a
// variant that has been found to cost more than its model expects.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/online/cost_monitor.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/evidence.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/selection/selector.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// In place of what the policy withdraws.
template <typename Policy, typename... Args>
selection turned_away(const cost_monitor& monitor, const selector<Policy, Args...>& selects,
                      const call_plan& plan, const selection& chosen, observed<Args>... args) {
  if (chosen.reason != selection_reason::model || !monitor.is_withdrawn(chosen.index)) [[likely]]
    return chosen;
  if constexpr (settings_of<Policy>().on_unexpected == unexpected_cost::next_best) {
    for (const selection& next : selects.others(plan, chosen.index, args...)) {
      if (!monitor.is_withdrawn(next.index)) {
        return made_selection(plan, next.index, selection_reason::unexpected_cost);
      }
    }
  }
  return selects.fallback(plan, selection_reason::unexpected_cost);
}

/// Runs a call and notes what it costs, where it is the model's choice. `run` takes a selection.
template <typename Policy, typename... Args, typename Run>
auto monitored_call(cost_monitor& monitor, const selector<Policy, Args...>& selects,
                    const call_plan& plan, const registry& function, context& shared,
                    const Run& run, observed<Args>... args) {
  evidence known;
  selects.start(known);
  selects.evaluate_features(plan, known, args...);
  const selection chosen = turned_away<Policy, Args...>(
      monitor, selects, plan, selects.conclude(plan, known, args...), args...);
  const bool counts = chosen.reason == selection_reason::model && !known.feature_failed;
  const timer clock;
  using result = decltype(run(chosen));
  const auto note = [&](double metric) {
    if (counts) monitor.note(plan, function, shared, chosen.index, known.of(plan), metric);
  };
  if constexpr (std::is_void_v<result>) {
    run(chosen);
    note(clock.seconds());
  } else {
    result made = run(chosen);
    const double seconds = clock.seconds();
    if constexpr (std::is_floating_point_v<result> &&
                  settings_of<Policy>().metric == metric_source::returned) {
      note(is_nan(static_cast<double>(made)) ? seconds : static_cast<double>(made));
    } else {
      note(seconds);
    }
    return made;
  }
}

/// A call of a function with a model, whose policy says monitor: one in N is timed.
template <typename Policy, typename... Args, typename Run>
auto watched_call(cost_monitor& monitor, const selector<Policy, Args...>& selects,
                  const call_plan& plan, const registry& function, context& shared, const Run& run,
                  observed<Args>... args) {
  if (monitor.is_due(settings_of<Policy>().monitor)) [[unlikely]] {
    return monitored_call<Policy, Args...>(monitor, selects, plan, function, shared, run, args...);
  }
  return run(
      turned_away<Policy, Args...>(monitor, selects, plan, selects.choose(plan, args...), args...));
}

}  // namespace fettle::detail
