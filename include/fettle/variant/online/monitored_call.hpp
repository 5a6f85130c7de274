// A call of a tuned function whose policy says monitor: timed now and then, and turned away from a
// variant that has been found to cost more than its model expects.
#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/arguments.hpp>
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

/// Runs a selection and notes what it costs, where it is the model's choice by features that are
/// known. `run` takes a selection.
template <typename Policy, typename Run>
auto noted_run(cost_monitor& monitor, const call_plan& plan, const registry& function,
               context& shared, const selection& chosen, std::span<const double> values,
               const Run& run) {
  const bool counts = chosen.reason == selection_reason::model && !values.empty();
  const timer clock;
  using result = decltype(run(chosen));
  const auto note = [&](double metric) {
    if (counts) monitor.note(plan, function, shared, chosen.index, values, metric);
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

/// Selects, runs and notes.
template <typename Policy, typename... Args, typename Run>
auto monitored_call(cost_monitor& monitor, const selector<Policy, Args...>& selects,
                    const call_plan& plan, const registry& function, context& shared,
                    const Run& run, observed<Args>... args) {
  evidence known;
  selects.start(known);
  selects.evaluate_features(plan, known, args...);
  const selection chosen = turned_away<Policy, Args...>(
      monitor, selects, plan, selects.conclude(plan, known, args...), args...);
  const std::span<const double> values =
      known.feature_failed ? std::span<const double>() : known.of(plan);
  return noted_run<Policy>(monitor, plan, function, shared, chosen, values, run);
}

/// The values of the model's features for a call that is bound; none where one has failed.
template <typename Policy, typename... Args>
std::vector<double> values_of_bound(const selector<Policy, Args...>& selects, const call_plan& plan,
                                    observed<Args>... args) {
  evidence known;
  selects.start(known);
  selects.evaluate_features(plan, known, args...);
  if (known.feature_failed) return {};
  const std::span<const double> values = known.of(plan);
  return {values.begin(), values.end()};
}

/// A bound call of a function whose policy says monitor. Made by code_variant::bind(), as
/// bound_call is, and used alike; one call in N is timed, and what the policy withdraws is
/// replaced.
template <typename Function, typename Result, typename... Args>
class bound_watched_call {
 public:
  using function = Result (*)(void*, Args&&...);

  /// `values` are those of the model's features; empty where calls are not watched.
  bound_watched_call(Function& owner, function code, void* object, fettle::selection chosen,
                     std::vector<double> values, kept_arguments<Args...> args)
      : owner_(&owner),
        code_(code),
        object_(object),
        chosen_(chosen),
        values_(std::move(values)),
        args_(std::move(args)) {}

  Result operator()() {
    return std::apply(
        [this](auto&... its) -> Result {
          const bool due = !values_.empty() && owner_->is_bound_call_due();
          if (!due && !owner_->withdraws()) [[likely]]
            return code_(object_, its.pass()...);
          return owner_->run_bound_watched(due, chosen_, values_, its...);
        },
        args_);
  }

  /// What runs, and why.
  const fettle::selection& selection() const noexcept { return chosen_; }

 private:
  Function* owner_;
  function code_;
  void* object_;
  fettle::selection chosen_;
  std::vector<double> values_;
  kept_arguments<Args...> args_;
};

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
