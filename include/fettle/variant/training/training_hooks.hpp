// What a tuned function does when the tuner has started the program: measures all its variants, or
// itself by several models, on the inputs of a call, which are reset in between, and compares what
// they wrote.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/contenders.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
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

template <typename Result, typename... Args>
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

  /// Measures all variants on a call's arguments, and leaves them as the caller's own run of the
  /// default has to find them.
  void measure(const training_request& request, const registered& all,
               kept_arguments<Args...>& kept) {
    const reset_function<Args...> reset = reset_of(kept);
    trial_runs<Result, Args...> runs(reset, verify_, kept);
    if (verify_) verify_.forget();
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
    trial_runs<Result, Args...> runs(reset, verify_, kept);
    measure_contenders(request, all, calls, compared.names(), runs);
  }

 private:
  // The user's function, or one that restores these arguments.
  [[nodiscard]] reset_function<Args...> reset_of(kept_arguments<Args...>& kept) const {
    if (restoring_ == nullptr) return reset_;
    return std::apply([this](auto&... each) { return restoring_(each.change()...); }, kept);
  }

  reset_function<Args...> reset_;
  reset_function<Args...> (*restoring_)(std::remove_reference_t<Args>&...) = nullptr;
  verification<Result, Args...> verify_;
};

}  // namespace fettle::detail
