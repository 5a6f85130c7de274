// on_infinite_metric = next_best: a variant that comes to an infinite metric, as a solver does that
// does not converge, is followed by the next best one within the same call.
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/metric.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/latest_selection.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/selection/selector.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Restores the inputs of a call.
template <typename... Args>
using reset_function = std::function<void(std::remove_reference_t<Args>&...)>;

/// The rest of a call whose selected variant came to an infinite metric.
template <typename Policy, typename Result, typename... Args>
class next_best_run {
  using table = selector<Policy, Args...>;

 public:
  next_best_run(const table& select, const call_plan& plan, const reset_function<Args...>& reset,
                latest_selection& latest)
      : select_(select), plan_(plan), reset_(reset), latest_(latest) {}

  /// Whether it is. What FETTLE_FORCE names runs alone.
  static bool is_needed(const selection& chosen, Result metric) {
    return is_infinite(metric) && chosen.reason != selection_reason::forced;
  }

  /// Runs the other variants in the order of the model, until one has a finite metric; returns that
  /// of the last. Where no constraint allows another variant the inputs stay as before the call.
  [[gnu::noinline, gnu::cold]] Result after(std::size_t last, kept_arguments<Args...>& inputs,
                                            Result metric) const {
    reset(inputs);
    const auto order = std::apply(
        [&](auto&... kept) { return select_.others(plan_, last, kept.show()...); }, inputs);
    for (const selection& next : order) {
      if (next.index != order.front().index) reset(inputs);
      select_.trace_next(plan_, last, latest_.note(next));
      metric = call(plan_, last = next.index, inputs);
      if (!is_infinite(metric)) break;
    }
    return metric;
  }

  static Result call(const call_plan& plan, std::size_t k, kept_arguments<Args...>& inputs) {
    return std::apply(
        [&](auto&... kept) -> Result {
          return erased_variant<Result, Args...>::call(plan.variant_at(k), kept.pass()...);
        },
        inputs);
  }

 private:
  static bool is_infinite(Result metric) {
    return is_infinite_cost(static_cast<double>(metric), settings_of<Policy>().larger_is_better);
  }

  void reset(kept_arguments<Args...>& inputs) const {
    std::apply([this](auto&... kept) { reset_(kept.change()...); }, inputs);
  }

  table select_;
  const call_plan& plan_;
  const reset_function<Args...>& reset_;
  latest_selection& latest_;
};

/// A bound call of such a function. Made by code_variant::bind(), as bound_call is, and used alike;
/// a call begins with the variant that was selected then.
template <typename Function, typename... Args>
class bound_next_best_run {
 public:
  bound_next_best_run(Function& function, fettle::selection chosen, kept_arguments<Args...> args)
      : function_(&function), chosen_(chosen), args_(std::move(args)) {}

  auto operator()() { return function_->run_bound(chosen_, args_); }

  /// What was selected, and why.
  const fettle::selection& selection() const noexcept { return chosen_; }

 private:
  Function* function_;
  fettle::selection chosen_;
  kept_arguments<Args...> args_;
};

}  // namespace fettle::detail
