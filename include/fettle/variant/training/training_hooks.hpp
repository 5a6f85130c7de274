// What a tuned function does when the tuner has started the program: measures all its variants, or
// itself by several models, on the inputs of a call, which are reset in between, and compares what
// they wrote.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/contenders.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/training/measured_quality.hpp>
#include <fettle/variant/training/quality.hpp>
#include <fettle/variant/training/restore_arguments.hpp>
#include <fettle/variant/training/trial_runs.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// A contender's whole call, as a variant.
template <typename Function, typename Result, typename... Args>
struct contender_call {
  Function* function;
  const contender* self;
  std::size_t number;
  bool charged;  ///< the selection's time is added to the metric that is returned

  Result operator()(Args&&... args) const {
    const contender_run running(*self, number);
    return function->run_contender(*self->plan, charged, static_cast<Args&&>(args)...);
  }
};

/// Runs are timed by a Clock.
template <typename Clock, typename Result, typename... Args>
class training_hooks {
 public:
  template <typename Reset>
  void set_reset(Reset restore) {
    constexpr bool fits = std::invocable<Reset&, std::remove_reference_t<Args>&...>;
    static_assert(fits, "set_reset takes a callable on references to the function's arguments.");
    if constexpr (fits) reset_ = std::move(restore);
  }

  void set_reset(restore_arguments /*tag*/) {
    static_assert((is_restorable_v<Args> && ...),
                  "set_reset(fettle::restore_arguments{}) restores copyable objects given by "
                  "reference and the elements of a std::span. It does not know what lies behind a "
                  "pointer or another view: give set_reset a function on the arguments.");
    restoring_ = &restoring_function<Args...>;
  }

  [[nodiscard]] const reset_function<Args...>& reset() const noexcept { return reset_; }

  template <typename Capture, typename Compare>
  void set_verify(Capture capture, Compare comparison) {
    constexpr bool captures = captures_output<Capture, Result, Args...>;
    static_assert(captures,
                  "set_verify takes a capture function on the function's arguments (or its result "
                  "and arguments) that returns a copy of the output.");
    if constexpr (captures) {
      constexpr bool compares = compares_outputs<Compare, captured_t<Capture, Result, Args...>>;
      static_assert(compares,
                    "set_verify: the comparison must be callable with two copies of the output, "
                    "compare(reference, output), and return whether they agree; without one, "
                    "outputs are compared by ==.");
      if constexpr (compares) {
        verify_ = verification<Result, Args...>::of(std::move(capture), std::move(comparison));
      }
    }
  }

  /// How errors are measured; `capture` takes a copy of the output. False where the bound is 0 and
  /// these copies cannot be compared bit by bit.
  template <typename Quality, typename Capture>
  bool set_quality(Quality error_of, Capture capture, double bound) {
    constexpr bool captures = captures_output<Capture, Result, Args...>;
    static_assert(captures,
                  "set_quality's third argument is a capture function on the function's arguments "
                  "(or its result and arguments) that returns a copy of the output.");
    if constexpr (captures) {
      using copy = std::decay_t<captured_t<Capture, Result, Args...>>;
      constexpr bool measures = measures_error<Quality, copy>;
      static_assert(measures,
                    "set_quality takes a function of two outputs, error(exact, out), that returns "
                    "a number: 0 where they are equal, more where they differ more.");
      constexpr bool repeats = all_repeatable<Args...>;
      static_assert(repeats,
                    "set_quality needs arguments that can be passed twice, because a checked call "
                    "runs the exact variant too: take a move-only argument by reference.");
      if constexpr (measures && repeats) {
        using made = measured_quality<Quality, Capture, Result, Args...>;
        quality_of_result_ = std::is_same_v<Capture, capture_result>;
        quality_ = std::make_unique<made>(std::move(error_of), std::move(capture), bound);
        return bound != 0 || made::tells_bits;
      }
    }
    return true;
  }

  /// ... of the one argument that variants may change, or of the function's result.
  template <bool ReturnsResult, typename Quality>
  bool set_quality(Quality error_of, double bound) {
    constexpr std::size_t outputs = (std::size_t{0} + ... + std::size_t{is_output_v<Args>});
    constexpr bool by_argument = measures_argument<outputs == 1, Quality>();
    constexpr bool by_result = ReturnsResult && !by_argument;
    static_assert(by_argument || by_result || outputs == 1,
                  "set_quality does not know where the output is: the function has no result, and "
                  "not just one argument that is a reference to non-const or a std::span; give it "
                  "a capture function as third argument, capture(args...).");
    if constexpr (by_result) {
      return set_quality(std::move(error_of), capture_result(), bound);
    } else if constexpr (outputs == 1) {
      return set_quality(std::move(error_of), capture_argument<Args...>(), bound);
    } else {
      return true;
    }
  }

  /// What an approximate variant that was selected runs by; null without set_quality.
  [[nodiscard]] quality<Result, Args...>* quality_of_outputs() const noexcept {
    return quality_.get();
  }
  /// The reset that serves the inputs of any call, or an empty one.
  [[nodiscard]] const reset_function<Args...>& reset_anywhere() const noexcept {
    static const reset_function<Args...> none;
    return resets_anywhere_ ? reset_ : none;
  }
  /// Whether inputs are restored in training by what the running program must not call.
  [[nodiscard]] bool resets_in_training_only() const noexcept {
    return reset_ && !resets_anywhere_;
  }
  /// The reset was given to the constructor.
  void reset_serves_all_calls() noexcept { resets_anywhere_ = true; }

  /// Measures all variants on a call's arguments, and leaves them as the caller's own run of the
  /// default has to find them.
  void measure(const training_request& request, const registered& all,
               kept_arguments<Args...>& kept) {
    const reset_function<Args...> reset = reset_of(kept);
    trial_runs<Clock, Result, Args...> runs(reset, verify_, quality_.get(), kept);
    runs.times_results = quality_of_result_;
    if (verify_) verify_.forget();
    if (quality_) quality_->forget();
    measure_variants(request, all, runs);
  }

  /// Likewise, the contenders: the first, untuned, is the reference. Each is called as
  /// `function.run_contender(contender, number, charged, args...)`.
  template <typename Function>
  void compare(const training_request& request, const registered& all, const contenders& compared,
               kept_arguments<Args...>& kept, Function& function) {
    // Where only some variants return their metric, it has to be a time, so the clock serves all.
    const bool returns_metric = all.callables.all_return_metric();
    variant_tables calls;
    for (std::size_t k = 0; k < compared.all().size(); ++k) {
      using whole_call = contender_call<Function, Result, Args...>;
      calls.add(erased_variant<Result, Args...>::template owning<call_variant<Result, Args...>>(
                    whole_call{&function, &compared.all()[k], k, request.charges_selection}),
                returns_metric, {});
    }
    const reset_function<Args...> reset = reset_of(kept);
    trial_runs<Clock, Result, Args...> runs(reset, verify_, nullptr, kept);
    runs.times_results = quality_of_result_;
    measure_contenders(request, all, calls, compared.names(), runs);
  }

 private:
  template <bool IsOne, typename Quality>
  static consteval bool measures_argument() {
    if constexpr (IsOne) {
      using copy = std::decay_t<captured_t<capture_argument<Args...>, Result, Args...>>;
      return measures_error<Quality, copy>;
    } else {
      return false;
    }
  }

  // The user's function, or one that restores these arguments.
  [[nodiscard]] reset_function<Args...> reset_of(kept_arguments<Args...>& kept) const {
    if (restoring_ == nullptr) return reset_;
    return std::apply([this](auto&... each) { return restoring_(each.change()...); }, kept);
  }

  reset_function<Args...> reset_;
  reset_function<Args...> (*restoring_)(std::remove_reference_t<Args>&...) = nullptr;
  verification<Result, Args...> verify_;
  std::unique_ptr<quality<Result, Args...>> quality_;
  bool resets_anywhere_ = false;
  bool quality_of_result_ = false;  // what variants return is a result, so that the clock serves
};

}  // namespace fettle::detail
