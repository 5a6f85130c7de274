// What a tuned function does when the tuner has started the program: measures all its variants, or
// itself by several models, on the inputs of a call, which are reset in between, and compares what
// they wrote.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/next_best_run.hpp>
#include <fettle/variant/training/contenders.hpp>
#include <fettle/variant/training/restore_arguments.hpp>
#include <fettle/variant/training/training.hpp>
#include <fettle/variant/training/trial_runs.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Result, typename... Args>
class training_hooks {
 public:
  template <typename Reset>
  void set_reset(Reset reset) {
    static_assert(std::invocable<Reset&, std::remove_reference_t<Args>&...>,
                  "set_reset takes a callable on references to the function's arguments.");
    reset_ = std::move(reset);
  }

  void set_reset(restore_arguments /*tag*/) {
    static_assert((is_restorable_v<Args> && ...),
                  "set_reset(fettle::restore_arguments{}) restores copyable objects given by "
                  "reference and the "
                  "elements of a std::span. It does not know what lies behind a pointer or another "
                  "view: give "
                  "set_reset a function on the arguments.");
    restoring_ = &restoring_function<Args...>;
  }

  [[nodiscard]] const reset_function<Args...>& reset() const noexcept { return reset_; }

  template <typename Capture, typename Compare>
  void set_verify(Capture capture, Compare compare) {
    static_assert(
        std::invocable<Capture&, observed<Args>...> ||
            std::invocable<Capture&,
                           std::add_lvalue_reference_t<const std::remove_reference_t<Result>>,
                           observed<Args>...>,
        "set_verify takes a capture function on the function's arguments (or its result "
        "and arguments) that returns a copy of the output.");
    verify_ = verification<Result, Args...>::of(std::move(capture), std::move(compare));
  }

  /// Who is compared, where the tuner asks for that.
  contenders<Result, Args...>& compared() noexcept { return compared_; }

  /// Measures all variants on a call's arguments, and leaves them as the caller's own run of the
  /// default has to find them.
  template <typename Registration>
  void measure(const training_request& request, const Registration& all,
               kept_arguments<Args...>& kept) {
    const reset_function<Args...> reset = reset_of(kept);
    trial_runs<Result, Args...> trials(all.callables, reset, kept);
    const trainee function =
        trials.describe(all.names, all.features, all.names.settings.constraints, verify_);
    if (verify_) verify_.forget();
    if (training_session::instance(request).measure(function)) trials.reset();
  }

  /// Likewise, the contenders: the first, untuned, is the reference. `choose` selects by a plan,
  /// `run` runs what was selected.
  template <typename Registration, typename Choose, typename Run>
  void compare(const training_request& request, const Registration& all,
               kept_arguments<Args...>& kept, Choose choose, Run run) {
    const auto variants = compared_.as_variants(request, all.callables, choose, run);
    const std::vector<std::string> names = compared_.names();
    const reset_function<Args...> reset = reset_of(kept);
    trial_runs<Result, Args...> trials(variants, reset, kept);
    trainee function = trials.describe(all.names, all.features, false, verify_);
    function.variants = names;
    function.default_index = 0;
    function.parameters.clear();
    if (training_session::instance(request).measure(function)) trials.reset();
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
  contenders<Result, Args...> compared_;
};

}  // namespace fettle::detail
