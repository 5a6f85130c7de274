// What users register with a code_variant: variants, features, constraints, and what training and
// online search need to know.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/online/online_calls.hpp>
#include <fettle/variant/online/online_key.hpp>
#include <fettle/variant/online/online_tuner.hpp>
#include <fettle/variant/parameters/parameter.hpp>
#include <fettle/variant/registration/approximate.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/registration.hpp>
#include <fettle/variant/registration/version.hpp>
#include <fettle/variant/selection/function_state.hpp>
#include <fettle/variant/training/training_hooks.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The part of code_variant before its first call; `Shape` is the function_shape of Args. Members
/// throw fettle::error where what is registered is not acceptable, and after the first call.
template <typename Policy, typename Shape, typename... Args>
class code_variant_registration {
 protected:
  static constexpr bool runs_next_best =
      settings_of<Policy>().on_infinite_metric == infinite_metric::next_best;

 public:
  /// Adds any callable as a variant. Throws fettle::error for an empty or a second equal name.
  template <typename Variant>
    requires(!object_pointer<std::decay_t<Variant>>)
  void add_variant(std::string_view name, Variant&& variant) {
    open("add_variant").add_variant(name, std::forward<Variant>(variant));
  }

  /// Adds a variant with options in any order: its `version`, `approximate`, and tunable
  /// parameters, `parameter` and `constraint`. It takes their values behind the arguments: as
  /// `const parameters&`, or as one number each.
  template <typename Variant, variant_option... Options>
    requires(sizeof...(Options) > 0)
  void add_variant(std::string_view name, Variant&& variant, const Options&... options) {
    open("add_variant").add_with_options(name, std::forward<Variant>(variant), options...);
  }

  /// Adds the object as a variant under a name of your choice; it must outlive this.
  template <typename Variant>
    requires function_object<Variant>
  void add_variant(std::string_view name, Variant* variant) {
    open("add_variant").add_object(name, variant);
  }

  /// Adds the object as a variant named after its class; it must outlive this.
  template <typename Variant>
    requires function_object<Variant>
  void add_variant(Variant* variant) {
    add_variant(registry::name_of(*variant, state_.all.names.variants), variant);
  }
  template <typename Variant>
    requires function_object<Variant>
  void add_variant(Variant* variant, const version& stated) {
    add_variant(registry::name_of(*variant, state_.all.names.variants), variant, stated);
  }
  template <typename Variant>
    requires function_object<Variant>
  void add_variant(Variant* variant, const approximation& tag) {
    add_variant(registry::name_of(*variant, state_.all.names.variants), variant, tag);
  }

  /// The variant for inputs that the model knows nothing of. It must be right for all inputs.
  void set_default(std::string_view name) {
    registry& names = state_.open("set_default").names;
    names.default_index = names.find_variant(name, "set_default");
    names.has_set_default = true;
  }
  template <typename Variant>
    requires function_object<Variant>
  void set_default(Variant* variant) {
    registry& names = state_.open("set_default").names;
    names.default_index = names.find_variant(identity(variant), "set_default");
    names.has_set_default = true;
  }

  /// Adds a number that describes the input: a callable on the arguments.
  template <typename Feature>
    requires(!object_pointer<std::decay_t<Feature>>)
  void add_input_feature(std::string_view name, Feature&& feature) {
    open("add_input_feature").add_feature(name, std::forward<Feature>(feature));
  }
  template <typename Feature>
    requires function_object<Feature>
  void add_input_feature(std::string_view name, Feature* feature) {
    open("add_input_feature").add_feature_object(name, feature);
  }
  template <typename Feature>
    requires function_object<Feature>
  void add_input_feature(Feature* feature) {
    add_input_feature(registry::name_of(*feature, state_.all.names.features), feature);
  }

  /// Adds a condition without which the variant must not run. A variant may have several.
  template <typename Constraint>
    requires(!object_pointer<std::decay_t<Constraint>>)
  void add_constraint(std::string_view variant, Constraint&& constraint) {
    open("add_constraint").add_constraint(constrained(variant), constraint);
  }
  template <typename Constraint>
    requires function_object<Constraint>
  void add_constraint(std::string_view variant, Constraint* constraint) {
    open("add_constraint").add_constraint_object(constrained(variant), constraint);
  }
  template <typename Variant, typename Constraint>
    requires function_object<Variant> && function_object<Constraint>
  void add_constraint(Variant* variant, Constraint* constraint) {
    open("add_constraint").add_constraint_object(constrained(identity(variant)), constraint);
  }
  template <typename Variant, typename Constraint>
    requires(function_object<Variant> && !object_pointer<std::decay_t<Constraint>>)
  void add_constraint(Variant* variant, Constraint&& constraint) {
    open("add_constraint").add_constraint(constrained(identity(variant)), constraint);
  }

  /// Training only: a meter that runs around each variant, beside those that the policy names
  /// (measure/meter.hpp). Its metrics can be optimised as those that variants return.
  void add_meter(std::shared_ptr<meter> added) {
    state_.open("add_meter").meters.push_back(std::move(added));
  }
  /// ... made of any callable that counts something: add_meter("faults", "", [] { ... }).
  template <std::invocable Count>
  void add_meter(std::string name, std::string unit, Count count) {
    constexpr bool counts = std::convertible_to<std::invoke_result_t<Count&>, double>;
    static_assert(counts, "add_meter takes a callable without arguments that returns a number.");
    if constexpr (counts) {
      add_meter(std::make_shared<counting_meter<Count>>(std::move(name), std::move(unit),
                                                        std::move(count)));
    }
  }

  /// Training only: restores the inputs before each run of a variant, called as reset(args&...);
  /// restore_arguments{} restores them from copies.
  template <typename Reset>
  void set_reset(Reset reset) {
    static_assert(!runs_next_best,
                  "The reset of a function with on_infinite_metric = next_best is needed outside "
                  "training too: give it to the constructor.");
    state_.open("set_reset");
    hooks_.set_reset(std::move(reset));
  }

  /// Training only, the correctness gate: capture(args...) returns a copy of a variant's output
  /// (capture(result, args...) where the function returns one); compare(reference, output) says
  /// whether it agrees with the default's. A variant that does not is named and excluded.
  template <typename Capture, typename Compare = std::equal_to<>>
  void set_verify(Capture capture, Compare compare = {}) {
    state_.open("set_verify");
    hooks_.set_verify(std::move(capture), std::move(compare));
  }

  /// How wrong an approximate variant's output is, error(exact, out), 0 where it is as good as the
  /// exact one, and the largest error that a result may have; 0 asks for the same bits. Without
  /// this call no approximate variant is ever selected. The outputs are copies of the function's
  /// result, or of the one argument that variants may change: a reference to non-const, or a
  /// std::span, of which the copy is a std::vector. Where it is the result, variants are judged by
  /// their time. Throws fettle::error for a bound that is negative or no number.
  ///
  /// In training errors are measured against the default variant on every input. A running program
  /// compares now and then (the policy's check_every), and falls back to exact variants for good
  /// where it finds an error beyond the bound; a checked call returns the exact result.
  template <typename Quality>
  void set_quality(Quality error_of, double bound) {
    constexpr bool returns_result = Shape::is_signature &&
                                    !std::is_void_v<typename Shape::result> &&
                                    !several_metrics<typename Shape::result>;
    registry& names = state_.open("set_quality").names;
    names.set_bound(bound, hooks_.template set_quality<returns_result>(std::move(error_of), bound));
  }
  /// ... where the output is elsewhere: capture(args...) returns a copy of it (capture(result,
  /// args...) where the function returns one).
  template <typename Quality, typename Capture>
  void set_quality(Quality error_of, double bound, Capture capture) {
    registry& names = state_.open("set_quality").names;
    names.set_bound(bound, hooks_.set_quality(std::move(error_of), std::move(capture), bound));
  }

  /// Searches values of parameters that no model has chosen while the program runs: each call
  /// runs one point, until `options.measurements` of them have run on inputs of a kind. Inputs
  /// are of one kind where their features are equal, or what `key(args...)` returns.
  template <typename... Key>
  void search_online(online_search options, Key... key) {
    static_assert(!runs_next_best, "search_online does not know on_infinite_metric = next_best.");
    using tuner = online_tuner<typename Shape::result, Args...>;
    const registered& all = state_.open("search_online");
    online_ = std::make_unique<tuner>(std::move(options),
                                      online_key<Args...>(all.features, std::move(key)...), all,
                                      *state_.shared);
  }

 protected:
  explicit code_variant_registration(context& shared) : state_(shared, settings_of<Policy>()) {
    if constexpr (requires { typename Policy::metering; }) {
      state_.all.named_meters = &Policy::metering::make;
    }
    if constexpr (requires { typename Policy::clock_control; }) {
      using clocks = typename Policy::clock_control;
      state_.all.names.clock_control =
          &clocks::template functions<typename Shape::result, Args...>();
    }
  }

  function_state state_;
  training_hooks<clock_of<Policy>, typename Shape::result, Args...> hooks_;
  std::unique_ptr<online_calls<typename Shape::result, Args...>> online_;

 private:
  registration<Shape, runs_next_best, Args...> open(std::string_view what) {
    return {state_.open(what)};
  }
  template <typename Variant>
  std::size_t constrained(const Variant& name_or_object) const {
    return state_.all.names.find_variant(name_or_object, "add_constraint");
  }
};

}  // namespace fettle::detail
