// tuning_context: what the tuned computations of a program share: where their models are, who hears
// warnings, whether an unusable model is an error.
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/context.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

struct tuning_options {
  context_options value{};
  bool in_use = false;
};

[[nodiscard]] inline tuning_options& the_tuning_options() {
  static tuning_options options;
  return options;
}

}  // namespace detail

/// The context of all tuned computations.
[[nodiscard]] inline context& tuning_context() {
  static context shared([] {
    detail::the_tuning_options().in_use = true;
    return detail::the_tuning_options().value;
  }());
  return shared;
}

/// Sets its options; before the first call of a tuned computation, from one thread.
inline void set_tuning_options(context_options options) {
  if (detail::the_tuning_options().in_use) {
    throw error(
        "set_tuning_options: a tuned computation was called before; set the options first thing "
        "in the program");
  }
  detail::the_tuning_options().value = std::move(options);
}

}  // namespace fettle::ndp
