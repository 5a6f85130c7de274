// code_variant: a function that has several implementations and learns which one suits which input
// (dissertation 2.1.2, table 2.1).
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/code_variant_calls.hpp>
#include <fettle/variant/code_variant_registration.hpp>
#include <fettle/variant/online/monitored_call.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/policy_checks.hpp>
#include <fettle/variant/selection/bound_call.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/selection/selection.hpp>

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
    : public detail::code_variant_calls<Policy, detail::function_shape<Arguments>, Args...> {
  using shape = detail::function_shape<Arguments>;
  static_assert(!settings_of<Policy>().name.empty(), "A tuning policy's name must not be empty.");
  static_assert(detail::check_policy<Policy, shape>());
  using calls = detail::code_variant_calls<Policy, shape, Args...>;
  using calls::fixed_;
  using calls::hooks_;
  using calls::keep;
  using calls::online_;
  using calls::prepared;
  using calls::run;
  using calls::run_kept;
  using calls::runs_next_best;
  using calls::selector;
  using calls::settings;
  using calls::state_;
  using calls::train;
  using calls::values_of;
  using calls::watched;
  using erased = typename calls::erased;

 public:
  using result = typename shape::result;

  explicit code_variant(context& shared) : calls(shared) {
    static_assert(!runs_next_best,
                  "on_infinite_metric = next_best needs the function that restores the inputs, "
                  "outside training too: code_variant<...> solve(context, reset).");
  }
  /// With the function of set_reset(). Where on_infinite_metric is next_best it runs in deployment
  /// too, with the inputs of any call, before the next best variant.
  template <typename Reset>
  code_variant(context& shared, Reset reset) : calls(shared) {
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
        return detail::bound_watched_call<calls, result, Args...>(
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
    return fixed_.pass_to([&](auto&&... args) -> result {
      return this->run(plan, chosen, static_cast<Args&&>(args)...);  // g++ 12 needs the `this`
    });
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

  result run_bound(const selection& chosen, detail::kept_arguments<Args...>& kept) {
    const detail::call_plan& plan = prepared();
    if (!plan.is_in_training()) [[likely]]
      return run_kept(plan, chosen, kept);
    return std::apply([this](auto&... its) -> result { return (*this)(its.pass()...); }, kept);
  }

  // What a bound call in training runs: the whole call, measured as any other.
  static result call_through(void* self, Args&&... args) {
    return (*static_cast<code_variant*>(self))(static_cast<Args&&>(args)...);
  }
};

}  // namespace fettle
