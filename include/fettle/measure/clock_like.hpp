// What a policy's `clock` is: it times the runs of variants in training.
#pragma once

#include <concepts>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// A clock starts when it is made and says how many seconds have passed: fettle::timer, or
/// fettle::event_clock for what a GPU runs. Calls of a deployed function are not timed by it.
template <typename Clock>
concept clock_like = std::default_initializable<Clock> && requires(const Clock& clock) {
  { clock.seconds() } -> std::convertible_to<double>;
};

}  // namespace fettle
