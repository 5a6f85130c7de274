// Running variants for measurement: the inputs are reset before each run, values are copied outside
// the timed part, results are kept for verification.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/measure/timer.hpp>
#include <fettle/variant/callables.hpp>
#include <fettle/variant/parameters_json.hpp>
#include <fettle/variant/registry.hpp>
#include <fettle/variant/training.hpp>
#include <fettle/variant/variant_tables.hpp>

namespace fettle::detail {

/// What kept_argument::pass() gives: a reference, or a value of its own.
template <typename Arg>
using passed =
    std::conditional_t<std::is_lvalue_reference_v<Arg>, Arg, std::remove_reference_t<Arg>>;

/// The result of the last run, where the function has one that can be kept.
template <typename Result>
struct result_slot {
  std::optional<Result> value;
  const Result* get() const { return value ? &*value : nullptr; }
};
template <typename Result>
struct result_slot<Result&> {
  Result* value = nullptr;
  const Result* get() const { return value; }
};
template <>
struct result_slot<void> {
  const void* get() const { return nullptr; }
};

/// Pointer to the result of a run, for capture functions: null where there is none.
template <typename Result>
using result_pointer = decltype(std::declval<const result_slot<Result>&>().get());

/// What set_verify was given, with types erased.
template <typename Result, typename... Args>
struct verification {
  std::function<void(result_pointer<Result>, observed<Args>...)> keep_reference;
  std::function<bool(result_pointer<Result>, observed<Args>...)> agrees;

  explicit operator bool() const { return static_cast<bool>(agrees); }

  /// capture(args...) or capture(result, args...) gives a copy of the output; compare(reference,
  /// output) whether two such copies agree.
  template <typename Capture, typename Compare>
  static verification of(Capture capture, Compare compare) {
    auto output = [capture](result_pointer<Result> result, observed<Args>... args) mutable {
      if constexpr (std::is_void_v<Result>) {
        return std::invoke(capture, args...);
      } else if constexpr (std::invocable<Capture&, const std::remove_reference_t<Result>&,
                                          observed<Args>...>) {
        return std::invoke(capture, *result, args...);
      } else {
        return std::invoke(capture, args...);
      }
    };
    using captured = decltype(std::declval<decltype(output)&>()(
        std::declval<result_pointer<Result>>(), std::declval<observed<Args>>()...));
    auto reference = std::make_shared<std::optional<std::decay_t<captured>>>();
    verification made;
    made.keep_reference = [output, reference](result_pointer<Result> result,
                                              observed<Args>... args) mutable {
      reference->emplace(output(result, args...));
    };
    made.agrees = [output, reference, compare](result_pointer<Result> result,
                                               observed<Args>... args) mutable {
      return !reference->has_value() ||
             static_cast<bool>(std::invoke(compare, **reference, output(result, args...)));
    };
    return made;
  }
};

/// Runs variants of one function on one call's kept arguments.
template <typename Result, typename... Args>
class trial_runs {
 public:
  using reset_function = std::function<void(std::remove_reference_t<Args>&...)>;

  trial_runs(const variant_tables<Result, Args...>& tables, const reset_function& reset,
             kept_arguments<Args...>& args)
      : tables_(tables), reset_(reset), args_(args) {}

  /// Several runs may be timed as one where nothing has to happen in between.
  static constexpr bool cheap_to_pass =
      ((std::is_lvalue_reference_v<Args> || std::is_trivially_copyable_v<Args>)&&...);

  void reset() {
    if (!reset_) return;
    std::apply([this](auto&... kept) { reset_(kept.change()...); }, args_);
  }

  training_run run(std::size_t k, std::size_t repeat) {
    reset();
    double returned = 0.0;
    double seconds = 0.0;
    if constexpr (cheap_to_pass) {
      const timer clock;
      for (std::size_t round = 0; round < repeat; ++round) {
        returned = std::apply([&](auto&... kept) { return call(k, kept.pass()...); }, args_);
      }
      seconds = clock.seconds() / static_cast<double>(repeat);
    } else {
      using passed_arguments = std::tuple<passed<Args>...>;
      passed_arguments copies =
          std::apply([](auto&... kept) { return passed_arguments(kept.pass()...); }, args_);
      const timer clock;
      returned =
          std::apply([&](auto&... copy) { return call(k, static_cast<Args&&>(copy)...); }, copies);
      seconds = clock.seconds();
    }
    return {tables_.returns_metric[registered(k)] ? returned : seconds, seconds};
  }

  /// What the training session needs to know and do. Refers to this and to every argument.
  trainee describe(const registry& names, const std::vector<erased_feature<Args...>>& features,
                   bool constrained, const verification<Result, Args...>& verify) {
    trainee function;
    function.variants = names.variants;
    function.parameters = parameters_json(names);
    function.features = names.features;
    function.default_index = names.default_index;
    function.larger_is_better = names.settings.larger_is_better;
    function.timed = std::find(tables_.returns_metric.begin(), tables_.returns_metric.end(),
                               true) == tables_.returns_metric.end();
    function.may_repeat = function.timed && !reset_ && cheap_to_pass;
    if (!all_repeatable<Args...> && !reset_) {
      function.misuse =
          "an argument is move-only, so that only one variant could run on it; give set_reset a "
          "function that makes it anew";
    }
    function.evaluate = [this, &features](std::size_t i) { return show(features[i]); };
    function.constraints_hold = [this, constrained](std::size_t k) {
      if (!constrained) return true;
      for (const auto& constraint : tables_.constraints[registered(k)]) {
        if (!show(constraint)) return false;
      }
      return true;
    };
    function.at_point = [this, &names](const std::string& text) {
      const auto point = names.parse_point(text);
      if (!point) throw error(text + " is no point of a variant with parameters");
      tried_.push_back({point->family, tables_.points[point->family](point->values)});
      return tables_.variants.size() + tried_.size() - 1;
    };
    function.run = [this](std::size_t k, std::size_t repeat) { return run(k, repeat); };
    if (verify) {
      function.keep_reference = [this, &verify] { with_result(verify.keep_reference); };
      function.agrees = [this, &verify] { return with_result(verify.agrees); };
    }
    return function;
  }

 private:
  /// A variant at values of its parameters that are tried out here.
  struct tried_point {
    std::size_t family;
    erased_variant<Result, Args...> variant;
  };

  /// The registered variant that the k-th is, or is a point of.
  std::size_t registered(std::size_t k) const {
    return k < tables_.variants.size() ? k : tried_[k - tables_.variants.size()].family;
  }
  const erased_variant<Result, Args...>& variant(std::size_t k) const {
    return k < tables_.variants.size() ? tables_.variants[k]
                                       : tried_[k - tables_.variants.size()].variant;
  }

  /// Calls f with the arguments as features see them.
  template <typename F>
  decltype(auto) show(const F& f) {
    return std::apply([&](auto&... kept) -> decltype(auto) { return f(kept.show()...); }, args_);
  }
  template <typename F>
  decltype(auto) with_result(const F& f) {
    return show([&](auto&... shown) -> decltype(auto) { return f(result_.get(), shown...); });
  }

  double call(std::size_t k, Args&&... args) {
    if constexpr (std::is_void_v<Result>) {
      variant(k)(std::forward<Args>(args)...);
      return 0.0;
    } else if constexpr (std::is_lvalue_reference_v<Result>) {
      result_.value = &variant(k)(std::forward<Args>(args)...);
      return 0.0;
    } else {
      result_.value.emplace(variant(k)(std::forward<Args>(args)...));
      if constexpr (std::is_arithmetic_v<Result>) {
        return static_cast<double>(*result_.value);
      } else {
        return 0.0;
      }
    }
  }

  const variant_tables<Result, Args...>& tables_;
  std::vector<tried_point> tried_;
  const reset_function& reset_;
  kept_arguments<Args...>& args_;
  result_slot<Result> result_;
};

}  // namespace fettle::detail
