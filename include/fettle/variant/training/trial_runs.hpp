// Running variants for measurement: the inputs are reset before each run, values are copied outside
// the timed part, results are kept for verification.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/training/captured_output.hpp>
#include <fettle/variant/training/quality.hpp>
#include <fettle/variant/training/trial.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What kept_argument::pass() gives: a reference, or a new value.
template <typename Arg>
using passed =
    std::conditional_t<std::is_lvalue_reference_v<Arg>, Arg, std::remove_reference_t<Arg>>;

/// Whether each run has to be timed by itself, because something happens before it.
template <typename Clock>
bool times_runs_alone() {
  if constexpr (requires { Clock::is_cold(); }) return Clock::is_cold();
  return false;
}

/// Runs variants of one function on one call's kept arguments, timed by a Clock. Refers to all that
/// it is given.
template <typename Clock, typename Result, typename... Args>
class trial_runs final : public call_in_training {
 public:
  /// `measures` is what set_quality was given, or null.
  trial_runs(const reset_function<Args...>& reset, const verification<Result, Args...>& verify,
             quality<Result, Args...>* measures, kept_arguments<Args...>& args)
      : reset_(reset), verify_(verify), quality_(measures), args_(args) {
    verifies = static_cast<bool>(verify) || measures != nullptr;
    cheap_to_pass = passes_cheaply;
    resets = static_cast<bool>(reset);
    if (!all_repeatable<Args...> && !reset) {
      misuse =
          "an argument is move-only, so that only one variant could run on it; give set_reset a "
          "function that makes it anew";
    }
  }

  void reset() override {
    if (!reset_) return;
    std::apply([this](auto&... kept) { reset_(kept.change()...); }, args_);
  }

  /// Where arguments are reset before each run, runs are timed one by one, and no further one is
  /// begun after `with_resets_s`.
  training_run run(const any_call& variant, std::size_t repeat) override {
    reset();
    double returned = 0.0;
    double seconds = 0.0;
    if constexpr (passes_cheaply) {
      const auto runs = [&](std::size_t count) {
        const Clock clock;
        for (std::size_t round = 0; round < count; ++round) {
          returned =
              std::apply([&](auto&... kept) { return call(variant, kept.pass()...); }, args_);
        }
        return clock.seconds();
      };
      if (reset_ || times_runs_alone<Clock>()) {
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
      const Clock clock;
      returned = std::apply(
          [&](auto&... copy) { return call(variant, static_cast<Args&&>(copy)...); }, copies);
      seconds = clock.seconds();
    }
    training_run done{returned, seconds};
    if constexpr (several_metrics<Result>) {
      const auto& all = result_.get()->values;
      done.others.assign(all.begin() + 1, all.end());
    }
    return done;
  }

  double evaluate(const any_call& feature) override {
    return show(
        [&](observed<Args>... shown) { return erased_feature<Args...>::call(feature, shown...); });
  }
  bool holds(const any_call& constraint) override {
    return show([&](observed<Args>... shown) {
      return erased_constraint<Args...>::call(constraint, shown...);
    });
  }
  void keep_reference() override {
    show([&](observed<Args>... shown) {
      // In this order: verification may poison the output, so that a missing write is detected.
      if (quality_ != nullptr) quality_->keep_reference(result_.get(), shown...);
      if (verify_) verify_.keep_reference(result_.get(), shown...);
    });
  }
  output_comparison compared(bool is_approximate) override {
    return show([&](observed<Args>... shown) {
      output_comparison found;
      if (is_approximate) {
        if (quality_ != nullptr) found.error = quality_->error(result_.get(), shown...);
      } else if (verify_) {
        found = verify_.compared(result_.get(), shown...);
      }
      return found;
    });
  }

 private:
  static constexpr double with_resets_s = 1e-3;  // of one sample: a reset may take far longer
  // Whether their arguments cost nothing to pass again.
  static constexpr bool passes_cheaply =
      ((std::is_lvalue_reference_v<Args> || std::is_trivially_copyable_v<Args>) && ...);

  /// Calls f with the arguments as features see them.
  template <typename F>
  decltype(auto) show(const F& f) {
    return std::apply([&](auto&... kept) -> decltype(auto) { return f(kept.show()...); }, args_);
  }

  double call(const any_call& variant, Args&&... args) {
    using erased = erased_variant<Result, Args...>;
    if constexpr (std::is_void_v<Result>) {
      erased::call(variant, std::forward<Args>(args)...);
      return 0.0;
    } else if constexpr (std::is_lvalue_reference_v<Result>) {
      result_.value = &erased::call(variant, std::forward<Args>(args)...);
      return 0.0;
    } else {
      result_.value.emplace(erased::call(variant, std::forward<Args>(args)...));
      if constexpr (several_metrics<Result>) {
        return result_.value->values.front();
      } else if constexpr (std::is_arithmetic_v<Result>) {
        return static_cast<double>(*result_.value);
      } else {
        return 0.0;
      }
    }
  }

  const reset_function<Args...>& reset_;
  const verification<Result, Args...>& verify_;
  quality<Result, Args...>* quality_;
  kept_arguments<Args...>& args_;
  result_slot<Result> result_;
};

}  // namespace fettle::detail
