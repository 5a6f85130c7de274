// The calls of a code_variant: how a selection is run, deployed, watched, searched or in training.
#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/code_variant_registration.hpp>
#include <fettle/variant/online/cost_monitor.hpp>
#include <fettle/variant/online/monitored_call.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/contenders.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/fixed_inputs.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/selection/selector.hpp>
#include <fettle/variant/training/quality.hpp>
#include <fettle/variant/training/training_hooks.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The part of code_variant behind its calls; `Shape` is the function_shape of Args.
template <typename Policy, typename Shape, typename... Args>
class code_variant_calls : public code_variant_registration<Policy, Shape, Args...> {
  using registration = code_variant_registration<Policy, Shape, Args...>;
  template <typename Function, typename R, typename... As>
  friend struct contender_call;
  template <typename Function, typename R, typename... As>
  friend class bound_watched_call;

 protected:
  using registration::hooks_;
  using registration::online_;
  using registration::runs_next_best;
  using registration::state_;
  using result = typename Shape::result;
  static constexpr policy_settings settings = settings_of<Policy>();
  using erased = erased_variant<result, Args...>;

  explicit code_variant_calls(context& shared) : registration(shared) {}

  // What calls go by.
  const call_plan& prepared() {
    return state_.prepared(&embedded_model<Policy>, online_ != nullptr);
  }

  detail::selector<Policy, Args...> selector() const { return {state_.all.names, *state_.shared}; }

  result run(const call_plan& plan, const selection& chosen, Args&&... args) {
    if (plan.is_gated()) [[unlikely]] {
      quality<result, Args...>* const checks = hooks_.quality_of_outputs();
      if (checks != nullptr && !plan.deployed().gate->is_exact(chosen.index)) {
        return checks->call({plan, state_.all.names, *state_.shared, hooks_.reset_anywhere(),
                             hooks_.resets_in_training_only(), chosen},
                            static_cast<Args&&>(args)...);
      }
    }
    if (plan.searches_online()) [[unlikely]]
      return online_->call(chosen.index, static_cast<Args&&>(args)...);
    if constexpr (runs_next_best) {
      kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
      return run_kept(plan, chosen, kept);
    } else {
      return erased::call(plan.variant_at(chosen.index), static_cast<Args&&>(args)...);
    }
  }

  result watched(const call_plan& plan, Args&... args) {
    const auto go = [&](const selection& chosen) -> result {
      return run(plan, state_.latest.note(chosen), static_cast<Args&&>(args)...);
    };
    return watched_call<Policy, Args...>(monitor_, selector(), plan, state_.all.names,
                                         *state_.shared, go, args...);
  }

  bool is_bound_call_due() noexcept { return monitor_.is_due(settings.monitor); }
  bool withdraws() const noexcept { return monitor_.has_withdrawn(); }

  std::vector<double> values_of(const call_plan& plan, kept_arguments<Args...>& kept) {
    return std::apply(
        [&](auto&... its) {
          return values_of_bound<Policy, Args...>(selector(), plan, its.show()...);
        },
        kept);
  }

  // Of a call that is bound: `chosen` becomes what the policy puts in place of what it withdraws.
  result run_bound_watched(bool due, selection& chosen, std::span<const double> values,
                           kept_argument<Args>&... kept) {
    const call_plan& plan = prepared();
    const auto go = [&](const selection& which) -> result {
      return run(plan, which, kept.pass()...);
    };
    chosen = turned_away<Policy, Args...>(monitor_, selector(), plan, chosen, kept.show()...);
    if (!due) return go(chosen);
    return noted_run<Policy>(monitor_, plan, state_.all.names, *state_.shared, chosen, values, go);
  }

  result run_kept(const call_plan& plan, const selection& chosen, kept_arguments<Args...>& kept) {
    using next_best = next_best_run<Policy, result, Args...>;
    const result metric = next_best::call(plan, chosen.index, kept);
    if (!next_best::is_needed(chosen, metric)) [[likely]]
      return metric;
    return next_best(selector(), plan, hooks_.reset(), state_.latest)
        .after(chosen.index, kept, metric);
  }

  static kept_arguments<Args...> keep(Args&&... args) {
    return {kept_argument<Args>(static_cast<Args&&>(args))...};
  }

  // Measures all variants, or itself as a whole, then runs the default on the caller's own
  // arguments.
  result train(const call_plan& plan, Args&&... args) {
    if (const call_plan* const nested = state_.compared.running()) {
      return run(*nested, selector().choose(*nested, args...), static_cast<Args&&>(args)...);
    }
    kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
    if constexpr (!(only_deployed<Args> || ...)) {
      const training_request& request = *plan.deployed().training;
      if (request.compares) {
        hooks_.compare(request, state_.all, state_.compared, kept, *this);
      } else {
        hooks_.measure(request, state_.all, kept);
      }
    }
    const selection chosen = selector().fallback(plan, selection_reason::no_model);
    state_.latest.note(chosen);
    if constexpr (runs_next_best) {
      return run_kept(plan, chosen, kept);
    } else {
      return std::apply(
          [&](auto&... argument) -> result {
            return erased::call(state_.all.callables.variants[chosen.index], argument.pass()...);
          },
          kept);
    }
  }

  // A whole call by a contender's plan; the selection's time is added to the metric where it is
  // charged.
  result run_contender(const call_plan& by, bool charged, Args&&... args) {
    if constexpr (std::is_floating_point_v<result>) {
      if (charged) {
        const timer clock;
        const selection chosen = selector().choose(by, args...);
        const double seconds = clock.seconds();
        return run(by, chosen, static_cast<Args&&>(args)...) + static_cast<result>(seconds);
      }
    } else if constexpr (several_metrics<result>) {
      if (charged) {
        const timer clock;
        const selection chosen = selector().choose(by, args...);
        const double seconds = clock.seconds();
        result all = run(by, chosen, static_cast<Args&&>(args)...);
        all.values.front() += seconds;
        return all;
      }
    }
    return run(by, selector().choose(by, args...), static_cast<Args&&>(args)...);
  }

  struct unmonitored {};
  fixed_inputs<Policy, Args...> fixed_;
  [[no_unique_address]] std::conditional_t<(settings.monitor > 0), cost_monitor, unmonitored>
      monitor_;
};

}  // namespace fettle::detail
