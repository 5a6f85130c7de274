// What a tuned function does when the tuner has started the program: measures all its variants on
// the inputs of a call, which are reset in between, and compares what they wrote.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <fettle/variant/arguments.hpp>
#include <fettle/variant/training.hpp>
#include <fettle/variant/training_request.hpp>
#include <fettle/variant/trial_runs.hpp>

namespace fettle::detail {

template <typename Result, typename... Args>
class training_hooks {
 public:
  template <typename Reset>
  void set_reset(Reset reset) {
    static_assert(std::invocable<Reset&, std::remove_reference_t<Args>&...>,
                  "set_reset takes a callable on references to the function's arguments.");
    reset_ = std::move(reset);
  }

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

  /// Measures all variants on a call's arguments, and leaves them as the caller's own run of the
  /// default has to find them.
  template <typename Registration>
  void measure(const training_request& request, const Registration& all,
               kept_arguments<Args...>& kept) {
    trial_runs<Result, Args...> trials(all.callables, reset_, kept);
    const trainee function =
        trials.describe(all.names, all.features, all.names.settings.constraints, verify_);
    if (training_session::instance(request).measure(function)) trials.reset();
  }

 private:
  typename trial_runs<Result, Args...>::reset_function reset_;
  verification<Result, Args...> verify_;
};

}  // namespace fettle::detail
