// Where a schedule and a policy meet the platform: the one place at which the policy's knobs act.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/approximated.hpp>
#include <fettle/ndp/shape/knob_checks.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// `e` into `destination`.
template <knobs K, typename Platform, typename E, typename D, typename Schedule, typename Policy>
void run_with_knobs(const Platform& on, const computation& named, const E& e, const D& destination,
                    Schedule schedule, const Policy& policy) {
  if constexpr (K.are_exact()) {
    platform_traits<Platform>::run(on, named, e, destination, schedule, policy);
  } else if constexpr (check_knobs<K, E>()) {
    platform_traits<Platform>::run(on, named, approximated<K>(e),
                                   approximated_destination<K>(e, destination), schedule, policy);
  }
}

/// The value of a reduction.
template <knobs K, typename Platform, typename E, typename Schedule, typename Policy>
[[nodiscard]] typename E::value_type value_with_knobs(const Platform& on, const computation& named,
                                                      const E& e, Schedule schedule,
                                                      const Policy& policy) {
  using value = typename E::value_type;
  if constexpr (K.are_exact()) {
    return platform_traits<Platform>::value(on, named, e, schedule, policy);
  } else if constexpr (check_knobs<K, E>()) {
    return static_cast<value>(
        platform_traits<Platform>::value(on, named, approximated<K>(e), schedule, policy));
  } else {
    return static_cast<value>(e.seed);
  }
}

}  // namespace fettle::ndp::detail
