// code_variant: a function that has several implementations and learns which one suits which input
// (dissertation 2.1.2, table 2.1).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/online/online_tuner.hpp>
#include <fettle/variant/parameters/parameter.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registration.hpp>
#include <fettle/variant/registration/version.hpp>
#include <fettle/variant/selection/bound_call.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/first_call.hpp>
#include <fettle/variant/selection/fixed_inputs.hpp>
#include <fettle/variant/selection/latest_selection.hpp>
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
class code_variant<Policy, Arguments, detail::argument_list<Args...>> {
  using shape = detail::function_shape<Arguments>;
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();
  static_assert(!settings.name.empty(), "A tuning policy's name must not be empty.");
  static_assert(
      !settings.async_feature_eval || evaluation::is_concurrent,
      "async_feature_eval needs `using evaluation = fettle::tbb_evaluation;` in the policy "
      "and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert((!settings.parallel_feature_evaluation &&
                 !settings.parallel_constraint_evaluation) ||
                    evaluation::is_concurrent,
                "Parallel evaluation needs `using evaluation = fettle::tbb_evaluation;` in the "
                "policy and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert(!std::is_rvalue_reference_v<typename shape::result>,
                "A tuned function cannot return an rvalue reference.");
  static constexpr bool runs_next_best = settings.on_infinite_metric == infinite_metric::next_best;
  static_assert(
      !runs_next_best || (std::is_floating_point_v<typename shape::result> &&
                          settings.metric == metric_source::returned),
      "on_infinite_metric = next_best needs calls that return the metric, a "
      "floating-point number: not metric = elapsed, nor a signature with another result.");

 public:
  using result = typename shape::result;

  explicit code_variant(context& shared) : context_(&shared) {
    static_assert(!runs_next_best,
                  "on_infinite_metric = next_best needs the function that restores the inputs, "
                  "outside training too: code_variant<...> solve(context, reset).");
    registered_.names.settings = settings;
  }
  /// With the function of set_reset(). Where on_infinite_metric is next_best it runs in deployment
  /// too, with the inputs of any call, before the next best variant.
  template <typename Reset>
  code_variant(context& shared, Reset reset) : context_(&shared) {
    registered_.names.settings = settings;
    hooks_.set_reset(std::move(reset));
  }
  /// The paper's form.
  explicit code_variant(context* shared) : code_variant(*shared) {}
  code_variant(const code_variant&) = delete;
  code_variant& operator=(const code_variant&) = delete;

  // ---- Registration ---------------------------------------------------------------------------

  /// Adds any callable as a variant. Throws fettle::error for an empty or a second equal name.
  template <typename Variant>
    requires(!detail::object_pointer<std::decay_t<Variant>>)
  void add_variant(std::string_view name, Variant&& variant) {
    open("add_variant").add_variant(name, std::forward<Variant>(variant));
  }

  /// Adds a variant with options in any order: its `version`, and tunable parameters, `parameter`
  /// and `constraint`. It takes their values behind the arguments: as `const parameters&`, or as
  /// one number each.
  template <typename Variant, detail::variant_option... Options>
    requires(sizeof...(Options) > 0)
  void add_variant(std::string_view name, Variant&& variant, const Options&... options) {
    open("add_variant").add_with_options(name, std::forward<Variant>(variant), options...);
  }

  /// Adds the object as a variant under a name of your choice; it must outlive this.
  template <typename Variant>
    requires detail::function_object<Variant>
  void add_variant(std::string_view name, Variant* variant) {
    open("add_variant").add_object(name, variant);
  }

  /// Adds the object as a variant named after its class; it must outlive this.
  template <typename Variant>
    requires detail::function_object<Variant>
  void add_variant(Variant* variant) {
    add_variant(detail::registry::name_of(*variant, registered_.names.variants), variant);
  }
  template <typename Variant>
    requires detail::function_object<Variant>
  void add_variant(Variant* variant, const version& stated) {
    add_variant(detail::registry::name_of(*variant, registered_.names.variants), variant, stated);
  }

  /// The variant for inputs that the model knows nothing of. It must be right for all inputs.
  void set_default(std::string_view name) {
    detail::registry& names = open("set_default").names;
    names.default_index = names.find_variant(name, "set_default");
  }
  template <typename Variant>
    requires detail::function_object<Variant>
  void set_default(Variant* variant) {
    detail::registry& names = open("set_default").names;
    names.default_index = names.find_variant(detail::identity(variant), "set_default");
  }

  /// Adds a number that describes the input: a callable on the arguments.
  template <typename Feature>
    requires(!detail::object_pointer<std::decay_t<Feature>>)
  void add_input_feature(std::string_view name, Feature&& feature) {
    open("add_input_feature").add_feature(name, std::forward<Feature>(feature));
  }
  template <typename Feature>
    requires detail::function_object<Feature>
  void add_input_feature(std::string_view name, Feature* feature) {
    open("add_input_feature").add_feature_object(name, feature);
  }
  template <typename Feature>
    requires detail::function_object<Feature>
  void add_input_feature(Feature* feature) {
    add_input_feature(detail::registry::name_of(*feature, registered_.names.features), feature);
  }

  /// Adds a condition without which the variant must not run. A variant may have several.
  template <typename Constraint>
    requires(!detail::object_pointer<std::decay_t<Constraint>>)
  void add_constraint(std::string_view variant, Constraint&& constraint) {
    open("add_constraint").add_constraint(constrained(variant), constraint);
  }
  template <typename Constraint>
    requires detail::function_object<Constraint>
  void add_constraint(std::string_view variant, Constraint* constraint) {
    open("add_constraint").add_constraint_object(constrained(variant), constraint);
  }
  template <typename Variant, typename Constraint>
    requires detail::function_object<Variant> && detail::function_object<Constraint>
  void add_constraint(Variant* variant, Constraint* constraint) {
    open("add_constraint")
        .add_constraint_object(constrained(detail::identity(variant)), constraint);
  }
  template <typename Variant, typename Constraint>
    requires(detail::function_object<Variant> && !detail::object_pointer<std::decay_t<Constraint>>)
  void add_constraint(Variant* variant, Constraint&& constraint) {
    open("add_constraint").add_constraint(constrained(detail::identity(variant)), constraint);
  }

  /// Training only: restores the inputs before each run of a variant, called as reset(args&...);
  /// restore_arguments{} restores them from copies.
  template <typename Reset>
  void set_reset(Reset reset) {
    static_assert(!runs_next_best,
                  "The reset of a function with on_infinite_metric = next_best is needed outside "
                  "training too: give it to the constructor.");
    open("set_reset");
    hooks_.set_reset(std::move(reset));
  }

  /// Training only, the correctness gate: capture(args...) returns a copy of a variant's output
  /// (capture(result, args...) where the function returns one); compare(reference, output) says
  /// whether it agrees with the default's. A variant that does not is named and excluded.
  template <typename Capture, typename Compare = std::equal_to<>>
  void set_verify(Capture capture, Compare compare = {}) {
    open("set_verify");
    hooks_.set_verify(std::move(capture), std::move(compare));
  }

  /// Searches values of parameters that no model has chosen while the program runs: each call
  /// runs one point, until `options.measurements` of them have run on inputs of a kind. Inputs
  /// are of one kind where their features are equal, or what `key(args...)` returns.
  template <typename... Key>
  void search_online(online_search options, Key... key) {
    static_assert(!runs_next_best, "search_online does not know on_infinite_metric = next_best.");
    registration& all = open("search_online");
    online_ = std::make_unique<online_tuner>(std::move(options), online_tuner::made(key...),
                                             all.names, all.callables, all.features, *context_);
  }

  // ---- Calls ----------------------------------------------------------------------------------

  /// Runs the variant selected for these arguments.
  result operator()(Args... args) {
    const plan_type& plan = prepared();
    if (plan.is_in_training()) [[unlikely]] {
      return train(plan, static_cast<Args&&>(args)...);
    }
    return run(plan, latest_.note(selector().choose(plan, args...)), static_cast<Args&&>(args)...);
  }

  /// What a call with these arguments would run, and why. Runs nothing.
  selection select(detail::observed<Args>... args) {
    return latest_.note(selector().choose(prepared(), args...));
  }

  /// Selects for these arguments now; the result runs the selected variant on them, many times.
  auto bind(Args... args)
    requires(detail::all_repeatable<Args...>)
  {
    const plan_type& plan = prepared();
    const bool selects_now = !plan.is_in_training() && !plan.searches_online();
    const selection chosen = selects_now ? latest_.note(selector().choose(plan, args...))
                                         : selector().fallback(plan, selection_reason::no_model);
    auto kept = keep(static_cast<Args&&>(args)...);
    if constexpr (runs_next_best) {
      return detail::bound_next_best_run<code_variant, Args...>(*this, chosen, std::move(kept));
    } else {
      using bound = bound_call<result, Args...>;
      const auto& call = registered_.callables.variants[chosen.index];
      return selects_now ? bound(call.code(), call.object(), chosen, std::move(kept))
                         : bound(&call_through, this, chosen, std::move(kept));
    }
  }

  /// Sets the arguments of the call without arguments, and starts evaluating features (and
  /// constraints) in the background where the policy says async_feature_eval.
  void fix_inputs(Args... args) {
    const plan_type& plan = prepared();
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
    const plan_type& plan = prepared();
    fixed_.require(settings.name);
    if (plan.is_in_training()) {
      return fixed_.pass_to(
          [this](auto&&... args) -> result { return (*this)(static_cast<Args&&>(args)...); });
    }
    const selection chosen = latest_.note(fixed_.select(selector(), plan));
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
    return latest_.get(registered_.names.variants);
  }

 private:
  friend class detail::bound_next_best_run<code_variant, Args...>;
  using registration = detail::registration<shape, runs_next_best, Args...>;
  using plan_type = detail::call_plan<result, Args...>;
  using online_tuner = detail::online_tuner<result, Args...>;

  // What was registered, to add to it.
  registration& open(std::string_view what) {
    first_call_.refuse_after(registered_.names, what);
    return registered_;
  }
  template <typename Variant>
  std::size_t constrained(const Variant& name_or_object) const {
    return registered_.names.find_variant(name_or_object, "add_constraint");
  }

  // The first call. Strict mode may throw here, at every call until the model is mended.
  const plan_type& prepared() {
    return first_call_.plan(
        [this] {
          registered_.names.check_complete();
          detail::deployment plan = detail::make_deployment(registered_.names, *context_,
                                                            &detail::embedded_model<Policy>);
          if (plan.training != nullptr) hooks_.compared().load(*plan.training, registered_.names);
          detail::add_points(registered_.callables, plan, registered_.names, *context_);
          return plan;
        },
        [this](const detail::deployment& deployed) {
          hooks_.compared().lay_out(registered_);
          return plan_type::make(deployed, registered_.names, registered_.callables,
                                 registered_.features, online_ != nullptr);
        });
  }

  detail::selector<Policy, result, Args...> selector() const {
    return {registered_.names, *context_};
  }

  result run(const plan_type& plan, const selection& chosen, Args&&... args) {
    if (plan.searches_online()) [[unlikely]]
      return online_->call(chosen.index, static_cast<Args&&>(args)...);
    if constexpr (runs_next_best) {
      detail::kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
      return run_kept(plan, chosen, kept);
    } else {
      return plan.variant_at(chosen.index)(static_cast<Args&&>(args)...);
    }
  }

  result run_kept(const plan_type& plan, const selection& chosen,
                  detail::kept_arguments<Args...>& kept) {
    using next_best = detail::next_best_run<Policy, result, Args...>;
    const result metric = next_best::call(plan, chosen.index, kept);
    if (!next_best::is_needed(chosen, metric)) [[likely]]
      return metric;
    return next_best(selector(), plan, hooks_.reset(), latest_).after(chosen.index, kept, metric);
  }

  result run_bound(const selection& chosen, detail::kept_arguments<Args...>& kept) {
    const plan_type& plan = prepared();
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
  result train(const plan_type& plan, Args&&... args) {
    if (const plan_type* const nested = hooks_.compared().running()) {
      return run(*nested, selector().choose(*nested, args...), static_cast<Args&&>(args)...);
    }
    const detail::training_request& request = *plan.deployed().training;
    detail::kept_arguments<Args...> kept = keep(static_cast<Args&&>(args)...);
    if (request.compares) {
      hooks_.compare(
          request, registered_, kept,
          [this](const plan_type& by, detail::observed<Args>... shown) {
            return selector().choose(by, shown...);
          },
          [this](const plan_type& by, const selection& chosen, Args&&... its) -> result {
            return run(by, chosen, static_cast<Args&&>(its)...);
          });
    } else {
      hooks_.measure(request, registered_, kept);
    }
    const selection chosen = selector().fallback(plan, selection_reason::no_model);
    latest_.note(chosen);
    if constexpr (runs_next_best) {
      return run_kept(plan, chosen, kept);
    } else {
      return std::apply(
          [&](auto&... argument) -> result {
            return registered_.callables.variants[chosen.index](argument.pass()...);
          },
          kept);
    }
  }

  // One line for what every call reads here: all else is in the plan.
  alignas(detail::cache_line) detail::latest_selection latest_;
  detail::first_call<plan_type> first_call_;
  context* context_;
  registration registered_;
  detail::training_hooks<result, Args...> hooks_;
  detail::fixed_inputs<Policy, result, Args...> fixed_;
  std::unique_ptr<online_tuner> online_;
};

}  // namespace fettle
