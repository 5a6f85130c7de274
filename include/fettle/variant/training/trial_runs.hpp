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

#include <fettle/core/abi.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/parameters_json.hpp>
#include <fettle/variant/registration/policy_json.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/training/bitwise.hpp>
#include <fettle/variant/training/training.hpp>

namespace fettle::inline FETTLE_ABI::detail {

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
  std::function<output_comparison(result_pointer<Result>, observed<Args>...)> compared;
  std::function<void()> forget;  ///< the reference: everything agrees until there is another

  explicit operator bool() const { return static_cast<bool>(compared); }

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
    using copy = std::decay_t<captured>;
    auto reference = std::make_shared<std::optional<copy>>();
    verification made;
    made.keep_reference = [output, reference](result_pointer<Result> result,
                                              observed<Args>... args) mutable {
      reference->emplace(output(result, args...));
    };
    made.forget = [reference] { reference->reset(); };
    made.compared = [output, reference, compare](result_pointer<Result> result,
                                                 observed<Args>... args) mutable {
      output_comparison found;
      if (!reference->has_value()) return found;
      auto&& own = output(result, args...);
      if constexpr (bitwise_comparable<copy>()) found.same_bits = same_bits<copy>(**reference, own);
      found.agrees =
          static_cast<bool>(std::invoke(compare, **reference, std::forward<decltype(own)>(own)));
      return found;
    };
    return made;
  }
};

/// Runs variants of one function on one call's kept arguments.
template <typename Result, typename... Args>
class trial_runs {
 public:
  trial_runs(const variant_tables<Result, Args...>& tables, const reset_function<Args...>& reset,
             kept_arguments<Args...>& args)
      : tables_(tables), reset_(reset), args_(args) {}

  /// A sample may be of several runs where their arguments cost nothing to pass again.
  static constexpr bool cheap_to_pass =
      ((std::is_lvalue_reference_v<Args> || std::is_trivially_copyable_v<Args>) && ...);

  void reset() {
    if (!reset_) return;
    std::apply([this](auto&... kept) { reset_(kept.change()...); }, args_);
  }

  /// Runs a variant `repeat` times; the mean time of a run. Where arguments are reset before each,
  /// runs are timed one by one, and no further one is begun after `with_resets_s`.
  training_run run(std::size_t k, std::size_t repeat) {
    reset();
    double returned = 0.0;
    double seconds = 0.0;
    if constexpr (cheap_to_pass) {
      const auto runs = [&](std::size_t count) {
        const timer clock;
        for (std::size_t round = 0; round < count; ++round) {
          returned = std::apply([&](auto&... kept) { return call(k, kept.pass()...); }, args_);
        }
        return clock.seconds();
      };
      if (reset_) {
        const timer all;
        seconds = runs(1);
        std::size_t done = 1;
        for (; done < repeat && all.seconds() < with_resets_s; ++done) {
          reset();
          seconds += runs(1);
        }
        seconds /= static_cast<double>(done);
      } else {
        seconds = runs(repeat) / static_cast<double>(repeat);
      }
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
    function.policy = policy_json(names.settings);
    function.parameters = parameters_json(names);
    function.versions = versions_json(names);
    function.features = names.features;
    function.default_index = names.default_index;
    function.larger_is_better = names.settings.larger_is_better;
    function.timed = std::find(tables_.returns_metric.begin(), tables_.returns_metric.end(),
                               true) == tables_.returns_metric.end();
    function.may_repeat = function.timed && cheap_to_pass;
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
      function.compared = [this, &verify] { return with_result(verify.compared); };
    }
    return function;
  }

 private:
  static constexpr double with_resets_s = 1e-3;  // of one sample: a reset may take far longer

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
  const reset_function<Args...>& reset_;
  kept_arguments<Args...>& args_;
  result_slot<Result> result_;
};

}  // namespace fettle::detail
