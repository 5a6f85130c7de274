// code_variant: a function that has several implementations and learns which one suits which input
// (dissertation 2.1.2, table 2.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/measure/metric_names.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/code_variant_registration.hpp>
#include <fettle/variant/online/cost_monitor.hpp>
#include <fettle/variant/online/monitored_call.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/bound_call.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/fixed_inputs.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/selection/selection.hpp>
#include <fettle/variant/selection/selector.hpp>
#include <fettle/variant/training/training_hooks.hpp>

namespace fettle::inline FETTLE_ABI {

/// A tuned function: call it like the function itself.
///
///   fettle::context cx;
///   fettle::code_variant<fettle::policy<"spmv">, std::tuple<const csr&, vec, vec>> spmv(cx);
///   spmv.add_variant("serial", serial);      // double: its metric; void: timed by Fettle
///   spmv.add_variant("parallel", parallel);
///   spmv.add_input_feature("nnz", [](const csr& a, auto&&...) { return a.nnz(); });
///   spmv(a, x, y);
///
/// `Arguments` is a std::tuple or thrust::tuple of the argument types (calls return the variant's
/// metric, NaN where it has none) or a signature R(Args...) (calls return the variant's result).
///
/// A call evaluates the features that the model uses, asks the model, checks the constraint of its
/// choice, and runs it. Without a usable model it runs the default: the variant named to
/// set_default(), or the first. When the tuner started the program, a call measures all variants
/// instead and then runs the default.
///
/// Register everything before the first call; registration is not thread-safe and throws
/// fettle::error afterwards. Calls, select(), bind() and last_selection() may come from any number
/// of threads at once, as far as the user's functions allow it; fix_inputs() and the call without
/// arguments belong to one thread. Selecting allocates nothing after the first call (serial
/// evaluation, no trace), and throws nothing but what strict mode asks for; what a variant throws
/// passes through. Objects given by pointer must outlive this. Neither copied nor moved.
template <tuning_policy Policy, typename Arguments,
          typename ArgumentList = typename detail::function_shape<Arguments>::arguments>
class code_variant {
  static_assert(detail::function_shape<Arguments>::valid,
                "The second template argument of fettle::code_variant is a tuple of the function's "
                "argument types, as std::tuple<const matrix&, int>, or its signature, as "
                "double(const matrix&, int).");
};

template <tuning_policy Policy, typename Arguments, typename... Args>
class code_variant<Policy, Arguments, detail::argument_list<Args...>>
    : public detail::code_variant_registration<Policy, detail::function_shape<Arguments>, Args...> {
  using shape = detail::function_shape<Arguments>;
  using registration = detail::code_variant_registration<Policy, shape, Args...>;
  using registration::hooks_;
  using registration::online_;
  using registration::runs_next_best;
  using registration::state_;
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();
  static_assert(!settings.name.empty(), "A tuning policy's name must not be empty.");
  static constexpr bool metrics_are_declared = detail::declared_metrics(settings.metrics) ==
                                                   detail::measured_count<typename shape::result> ||
                                               (detail::declared_metrics(settings.metrics) == 1 &&
                                                !detail::several_metrics<typename shape::result>);
  static_assert(
      metrics_are_declared,
      "A function that returns fettle::measured<N> has N metrics in its policy: metrics={...} in "
      "the tuning script, or static constexpr std::string_view metrics = \"seconds=s joules=J\";");
  static_assert(
      !settings.async_feature_eval || evaluation::is_concurrent,
      "async_feature_eval needs `using evaluation = fettle::tbb_evaluation;` in the policy "
      "and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert((!settings.parallel_feature_evaluation &&
                 !settings.parallel_constraint_evaluation) ||
                    evaluation::is_concurrent,
                "Parallel evaluation needs `using evaluation = fettle::tbb_evaluation;` in the "
                "policy and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert(
      !requires { requires !evaluation::is_linked; },
      "tbb_evaluation needs oneTBB, which fettle::fettle does not link: link the target "
      "fettle::tbb, after find_package(fettle COMPONENTS tbb).");
  static_assert(
      !runs_next_best || (std::is_floating_point_v<typename shape::result> &&
                          settings.metric == metric_source::returned),
      "on_infinite_metric = next_best needs calls that return the metric, a "
      "floating-point number: not metric = elapsed, nor a signature with another result.");

 public:
  using result = typename shape::result;

  explicit code_variant(context& shared) : registration(shared) {
    static_assert(!runs_next_best,
                  "on_infinite_metric = next_best needs the function that restores the inputs, "
                  "outside training too: code_variant<...> solve(context, reset).");
  }
  /// With the function of set_reset(). Where on_infinite_metric is next_best it runs in deployment
  /// too, with the inputs of any call, before the next best variant.
  template <typename Reset>
  code_variant(context& shared, Reset reset) : registration(shared) {
    hooks_.set_reset(std::move(reset));
    hooks_.reset_serves_all_calls();
  }
  /// The paper's form.
  explicit code_variant(context* shared) : code_variant(*shared) {}
  code_variant(const code_variant&) = delete;
  code_variant& operator=(const code_variant&) = delete;

  // ---- Calls ----------------------------------------------------------------------------------

  /// Runs the variant selected for these arguments.
  result operator()(Args... args) {
    const detail::call_plan& plan = prepared();
    if (plan.is_in_training()) [[unlikely]] {
      return train(plan, static_cast<Args&&>(args)...);
    }
    if constexpr (settings.monitor > 0) {
      if (plan.has_model() && !plan.searches_online()) return watched(plan, args...);
    }
    return run(plan, state_.latest.note(selector().choose(plan, args...)),
               static_cast<Args&&>(args)...);
  }

  /// What a call with these arguments would run, and why. Runs nothing.
  selection select(detail::observed<Args>... args) {
    return state_.latest.note(selector().choose(prepared(), args...));
  }

  /// Selects for these arguments now; the result runs the selected variant on them, many times.
  auto bind(Args... args)
    requires(detail::all_repeatable<Args...>)
  {
    const detail::call_plan& plan = prepared();
    // What is approximate is selected and checked at every call.
    const bool selects_now = !plan.is_in_training() && !plan.searches_online() && !plan.is_gated();
    const selection chosen = selects_now || plan.is_gated()
                                 ? state_.latest.note(selector().choose(plan, args...))
                                 : selector().fallback(plan, selection_reason::no_model);
    auto kept = keep(static_cast<Args&&>(args)...);
    if constexpr (runs_next_best) {
      return detail::bound_next_best_run<code_variant, Args...>(*this, chosen, std::move(kept));
    } else {
      const detail::any_call& call = state_.all.callables.variants[chosen.index];
      const auto code = selects_now ? erased::typed(call.target()) : &call_through;
      void* const object = selects_now ? call.object() : this;
      if constexpr (settings.monitor > 0) {
        auto values =
            selects_now && plan.has_model() ? values_of(plan, kept) : std::vector<double>();
        return detail::bound_watched_call<code_variant, result, Args...>(
            *this, code, object, chosen, std::move(values), std::move(kept));
      } else {
        return bound_call<result, Args...>(code, object, chosen, std::move(kept));
      }
    }
  }

  /// Sets the arguments of the call without arguments, and starts evaluating features (and
  /// constraints) in the background where the policy says async_feature_eval.
  void fix_inputs(Args... args) {
    const detail::call_plan& plan = prepared();
    fixed_.keep(static_cast<Args&&>(args)...);
    if constexpr (settings.async_feature_eval) {
      if (plan.has_model()) fixed_.start(selector(), plan);
    }
  }

  /// Runs the variant selected for the fixed inputs, waiting for their features. Inputs and
  /// selection stay until the next fix_inputs(); a move-only argument serves one call.
  result operator()()
    requires(sizeof...(Args) > 0)
  {
    const detail::call_plan& plan = prepared();
    fixed_.require(settings.name);
    if (plan.is_in_training()) {
      return fixed_.pass_to(
          [this](auto&&... args) -> result { return (*this)(static_cast<Args&&>(args)...); });
    }
    const selection chosen = state_.latest.note(fixed_.select(selector(), plan));
    return fixed_.pass_to(
        [&](auto&&... args) -> result { return run(plan, chosen, static_cast<Args&&>(args)...); });
  }

  /// With search_online(), what is the best known for these arguments: "tiled tile=32 unroll=1".
  std::string best_known(detail::observed<Args>... args) {
    const selection chosen = selector().choose(prepared(), args...);
    return online_ != nullptr ? online_->best(chosen.index, args...) : std::string(chosen.variant);
  }

  /// The latest selection of any thread; nothing before the first. `variant` stays valid as long
  /// as this. For the values and scores behind it set FETTLE_TRACE.
  std::optional<selection> last_selection() const noexcept {
    return state_.latest.get(state_.all.names.variants);
  }

 private:
  friend class detail::bound_next_best_run<code_variant, Args...>;
  friend class detail::bound_watched_call<code_variant, typename shape::result, Args...>;
  template <typename Function, typename R, typename... As>
  friend struct detail::contender_call;
  using erased = detail::erased_variant<result, Args...>;

  const detail::call_plan& prepared() {
    return state_.prepared(&detail::embedded_model<Policy>, online_ != nullptr);
  }

  detail::selector<Policy, Args...> selector() const { return {state_.all.names, *state_.shared}; }

  result run(const detail::call_plan& plan, const selection& chosen, Args&&... args) {
    if (plan.is_gated()) [[unlikely]] {
      detail::quality<result, Args...>* const checks = hooks_.quality_of_outputs();
      if (checks != nullptr && !plan.deployed().gate->is_exact(chosen.index)) {
        return checks->call({plan, state_.all.names, *state_.shared, hooks_.reset_anywhere(),
                             hooks_.resets_in_training_only(), chosen},
                            static_cast<Args&&>(args)...);
      }
    }
    if (plan.searches_online()) [[unlikely]]
      return online_->call(chosen.index, static_cast<Args&&>(args)...);
    if constexpr (runs_next_best) {
      detail::kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
      return run_kept(plan, chosen, kept);
    } else {
      return erased::call(plan.variant_at(chosen.index), static_cast<Args&&>(args)...);
    }
  }

  result watched(const detail::call_plan& plan, Args&... args) {
    const auto go = [&](const selection& chosen) -> result {
      return run(plan, state_.latest.note(chosen), static_cast<Args&&>(args)...);
    };
    return detail::watched_call<Policy, Args...>(monitor_, selector(), plan, state_.all.names,
                                                 *state_.shared, go, args...);
  }

  bool is_bound_call_due() noexcept { return monitor_.is_due(settings.monitor); }
  bool withdraws() const noexcept { return monitor_.has_withdrawn(); }

  std::vector<double> values_of(const detail::call_plan& plan,
                                detail::kept_arguments<Args...>& kept) {
    return std::apply(
        [&](auto&... its) {
          return detail::values_of_bound<Policy, Args...>(selector(), plan, its.show()...);
        },
        kept);
  }

  // Of a call that is bound: `chosen` becomes what the policy puts in place of what it withdraws.
  result run_bound_watched(bool due, selection& chosen, std::span<const double> values,
                           detail::kept_argument<Args>&... kept) {
    const detail::call_plan& plan = prepared();
    const auto go = [&](const selection& which) -> result {
      return run(plan, which, kept.pass()...);
    };
    chosen =
        detail::turned_away<Policy, Args...>(monitor_, selector(), plan, chosen, kept.show()...);
    if (!due) return go(chosen);
    return detail::noted_run<Policy>(monitor_, plan, state_.all.names, *state_.shared, chosen,
                                     values, go);
  }

  result run_kept(const detail::call_plan& plan, const selection& chosen,
                  detail::kept_arguments<Args...>& kept) {
    using next_best = detail::next_best_run<Policy, result, Args...>;
    const result metric = next_best::call(plan, chosen.index, kept);
    if (!next_best::is_needed(chosen, metric)) [[likely]]
      return metric;
    return next_best(selector(), plan, hooks_.reset(), state_.latest)
        .after(chosen.index, kept, metric);
  }

  result run_bound(const selection& chosen, detail::kept_arguments<Args...>& kept) {
    const detail::call_plan& plan = prepared();
    if (!plan.is_in_training()) [[likely]]
      return run_kept(plan, chosen, kept);
    return std::apply([this](auto&... its) -> result { return (*this)(its.pass()...); }, kept);
  }

  static detail::kept_arguments<Args...> keep(Args&&... args) {
    return {detail::kept_argument<Args>(static_cast<Args&&>(args))...};
  }

  // What a bound call in training runs: the whole call, measured as any other.
  static result call_through(void* self, Args&&... args) {
    return (*static_cast<code_variant*>(self))(static_cast<Args&&>(args)...);
  }

  // Measures all variants, or itself as a whole, then runs the default on the caller's own
  // arguments.
  result train(const detail::call_plan& plan, Args&&... args) {
    if (const detail::call_plan* const nested = state_.compared.running()) {
      return run(*nested, selector().choose(*nested, args...), static_cast<Args&&>(args)...);
    }
    const detail::training_request& request = *plan.deployed().training;
    detail::kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
    if (request.compares) {
      hooks_.compare(request, state_.all, state_.compared, kept, *this);
    } else {
      hooks_.measure(request, state_.all, kept);
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
  result run_contender(const detail::call_plan& by, bool charged, Args&&... args) {
    if constexpr (std::is_floating_point_v<result>) {
      if (charged) {
        const timer clock;
        const selection chosen = selector().choose(by, args...);
        const double seconds = clock.seconds();
        return run(by, chosen, static_cast<Args&&>(args)...) + static_cast<result>(seconds);
      }
    } else if constexpr (detail::several_metrics<result>) {
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
  detail::fixed_inputs<Policy, Args...> fixed_;
  [[no_unique_address]] std::conditional_t<(settings.monitor > 0), detail::cost_monitor,
                                           unmonitored> monitor_;
};

}  // namespace fettle
