// The way from a call's arguments to a variant: evaluate the features that the model uses, ask the
// model, check constraints, fall back where something is amiss.
#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/evidence.hpp>
#include <fettle/variant/selection/rare_selection.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/selection/selection_warnings.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// A view of one code_variant's tables. Stateless; every member may run in any number of threads.
template <typename Policy, typename... Args>
class selector {
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();

 public:
  /// Constraints are evaluated ahead of the model's choice, all at once.
  static constexpr bool constraints_ahead =
      settings.constraints && settings.parallel_constraint_evaluation;

  selector(const registry& function, context& shared) : registry_(function), context_(shared) {}

  selection choose(const call_plan& plan, observed<Args>... args) const {
    if (!plan.has_model()) [[unlikely]]
      return rarely(plan, rare_case::without_model, nullptr, 0, args...);
    plan.prefetch();
    evidence known;
    start(known);
    if constexpr (settings.parallel_feature_evaluation) {
      evaluation::for_each(plan.feature_count(),
                           [&](std::size_t i) { evaluate_feature(plan, i, known, args...); });
    } else {
      evaluate_features(plan, known, args...);
    }
    if constexpr (constraints_ahead) {
      evaluation::for_each(constrained_variants(),
                           [&](std::size_t k) { evaluate_constraints(plan, k, known, args...); });
    }
    return conclude(plan, known, args...);
  }

  /// The default variant.
  static selection fallback(const call_plan& plan, selection_reason reason) {
    return made_selection(plan, plan.default_variant(), reason);
  }

  // The steps of choose(), for evaluation in the background.

  static void start(evidence& known) noexcept {
    known.feature_failed = false;
    if constexpr (constraints_ahead) known.verdicts.fill(evidence::verdict::unknown);
  }

  void evaluate_features(const call_plan& plan, evidence& known, observed<Args>... args) const {
    std::size_t i = 0;
    try {
      for (; i < plan.feature_count(); ++i) {
        const call_plan::feature& feature = plan.feature_at(i);
        known.values[feature.position] = erased_feature<Args...>::call(feature, args...);
      }
    } catch (...) {
      note_failed_feature(registry_, context_, plan, i, plan.feature_count(), known);
    }
  }

  void evaluate_feature(const call_plan& plan, std::size_t i, evidence& known,
                        observed<Args>... args) const {
    const call_plan::feature& feature = plan.feature_at(i);
    try {
      known.values[feature.position] = erased_feature<Args...>::call(feature, args...);
    } catch (...) {
      note_failed_feature(registry_, context_, plan, i, i + 1, known);
    }
  }

  void evaluate_constraints(const call_plan& plan, std::size_t k, evidence& known,
                            observed<Args>... args) const {
    if (plan.variant_at(k).conditions == nullptr) return;
    known.verdicts[k] =
        constraints_hold(plan, k, args...) ? evidence::verdict::holds : evidence::verdict::fails;
  }

  /// What follows variant k, which came to an infinite metric.
  [[gnu::noinline]] std::vector<selection> others(const call_plan& plan, std::size_t k,
                                                  observed<Args>... args) const {
    const std::tuple<observed<Args>...> arguments(args...);
    return rare(plan, arguments).others(k);
  }

  void trace_next(const call_plan& plan, std::size_t after, const selection& next) const {
    detail::trace_next(registry_, plan, after, next);
  }

  std::size_t constrained_variants() const noexcept { return registry_.variants.size(); }

  selection conclude(const call_plan& plan, const evidence& known, observed<Args>... args) const {
    if (plan.is_traced()) [[unlikely]]
      return rarely(plan, rare_case::traced, &known, 0, args...);
    if (known.feature_failed) [[unlikely]]
      return fallback(plan, selection_reason::feature_failed);
    if (plan.is_gated()) [[unlikely]]
      return rarely(plan, rare_case::gated, &known, 0, args...);
    const model::decision decision = plan.predictor().decide(known.of(plan));
    if constexpr (settings.outside_region == outside_region::use_default) {
      if (!decision.inside) return fallback(plan, selection_reason::outside_region);
    }
    const std::size_t choice = variant_of(plan, known, decision.variant);
    if constexpr (settings.constraints) {
      if (!may_run(plan, choice, known, args...)) [[unlikely]]
        return rarely(plan, rare_case::after_failure, &known, choice, args...);
    }
    return made_selection(plan, choice, selection_reason::model);
  }

 private:
  bool may_run(const call_plan& plan, std::size_t k, const evidence& known,
               observed<Args>... args) const {
    if (plan.variant_at(k).conditions == nullptr) return true;
    if constexpr (constraints_ahead) {
      if (known.verdicts[k] != evidence::verdict::unknown) {
        return known.verdicts[k] == evidence::verdict::holds;
      }
    }
    return constraints_hold(plan, k, args...);
  }

  bool constraints_hold(const call_plan& plan, std::size_t k, observed<Args>... args) const {
    try {
      for (const any_call& constraint : *plan.variant_at(k).conditions) {
        if (!erased_constraint<Args...>::call(constraint, args...)) return false;
      }
      return true;
    } catch (...) {
      warn_of_constraint(registry_, context_, k);
    }
    return false;
  }

  // What follows is rare: out of the way of the code that every call runs.

  [[gnu::noinline]] selection rarely(const call_plan& plan, rare_case why, const evidence* known,
                                     std::size_t choice, observed<Args>... args) const {
    const std::tuple<observed<Args>...> arguments(args...);
    return rare(plan, arguments).decide(why, known, choice);
  }

  rare_selection rare(const call_plan& plan, const std::tuple<observed<Args>...>& arguments) const {
    return {registry_, context_, plan, {&arguments, &feature_on, &constraint_on}};
  }

  static double feature_on(const erased_code& code, const void* arguments) {
    return std::apply(
        [&](observed<Args>... args) { return erased_feature<Args...>::call(code, args...); },
        *static_cast<const std::tuple<observed<Args>...>*>(arguments));
  }
  static bool constraint_on(const erased_code& code, const void* arguments) {
    return std::apply(
        [&](observed<Args>... args) { return erased_constraint<Args...>::call(code, args...); },
        *static_cast<const std::tuple<observed<Args>...>*>(arguments));
  }

  const registry& registry_;
  context& context_;
};

}  // namespace fettle::detail
