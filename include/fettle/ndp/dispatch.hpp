// Where execute() goes from here: to a tuned computation's implementations, to the default rule, to
// the schedule and policy that were given; and in builds that only ask what there is to tune
// (FETTLE_INTROSPECT) or only compile candidates (FETTLE_NDP_SHARD), nowhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/run_with_knobs.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/default_trace.hpp>

#if defined(FETTLE_INTROSPECT)
#include <fettle/ndp/introspect_program.hpp>
#elif defined(FETTLE_NDP_SHARD)
#include <fettle/ndp/tuned/shard.hpp>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

#if defined(FETTLE_INTROSPECT)

template <fixed_string Name, typename E, typename D, typename Platform>
[[noreturn]] void run_nothing() {
  introspected<Name, E, D, Platform>::end_program();
}
[[noreturn]] inline void run_nothing_by_hand() { end_introspection(); }

#elif defined(FETTLE_NDP_SHARD)

[[noreturn]] inline void run_nothing_by_hand(const computation& named = {}) {
  throw error(std::string(named.name) +
              ": this was compiled with FETTLE_NDP_SHARD, as candidates for a program in training; "
              "it cannot run by itself");
}
template <fixed_string Name, typename E, typename D, typename Platform>
[[noreturn]] void run_nothing() {
  if constexpr (is_tuned_v<Name, Platform>) shard_entry<Name, E, D, Platform>::require();
  run_nothing_by_hand(named<Name>());
}

#endif

#if defined(FETTLE_INTROSPECT) || defined(FETTLE_NDP_SHARD)

template <fixed_string Name, typename E, typename D, typename Platform>
void run_chosen(const Platform& /*on*/, const E& /*e*/, const D& /*destination*/) {
  run_nothing<Name, E, D, Platform>();
}
template <fixed_string Name, typename E, typename Platform>
[[nodiscard]] typename E::value_type value_chosen(const Platform& /*on*/, const E& /*e*/) {
  run_nothing<Name, E, returned_value<typename E::value_type>, Platform>();
}
template <fixed_string Name, typename E, typename D, typename Platform>
[[nodiscard]] std::string choice_of(const Platform& /*on*/, const E& /*e*/,
                                    const D& /*destination*/) {
  return {};
}
template <typename... Arguments>
void run_by_hand(const Arguments&... /*call*/) {
  run_nothing_by_hand();
}
template <typename Platform, typename E, typename... Arguments>
[[nodiscard]] typename E::value_type value_by_hand(const Platform& /*on*/,
                                                   const computation& /*named*/, const E& /*e*/,
                                                   const Arguments&... /*call*/) {
  run_nothing_by_hand();
}

#else

/// In tuned/function.hpp, which comes with the generated header.
template <fixed_string Name, typename E, typename D, typename Platform>
class tuned_function;

/// Whether a call selects: not where tuning left the default rule alone. Refuses a stale header.
template <fixed_string Name, typename E, typename Platform>
[[nodiscard]] consteval bool has_choice() {
  if constexpr (is_tuned_v<Name, Platform>) {
    using its = tuned_computation<Name, Platform>;
    its::template check<E>();
#ifdef FETTLE_NDP_TRAINING
    return true;  // the candidates are in shards
#else
    return !std::is_same_v<typename its::candidates, candidate_list<>>;
#endif
  } else {
    return false;
  }
}

/// Rethrows the error that is being handled, with the computation's name before it.
[[noreturn, gnu::cold, gnu::noinline]] inline void rethrow_named(const computation& named,
                                                                 const error& found) {
  const std::string_view message = found.what();
  if (names_computation(message, named)) throw;
  throw error(std::string(named.name) + ": " + std::string(message));
}

// The functions below catch errors themselves: handing the work to a common function as a lambda
// would instantiate two more functions for each computation.

/// Into a destination, or an update, as tuned or by default.
template <fixed_string Name, typename E, typename D, typename Platform>
void run_chosen(const Platform& on, const E& e, const D& destination) {
  try {
    if constexpr (has_choice<Name, E, Platform>()) {
      tuned_function<Name, E, D, Platform>::run(e, destination, on);
    } else {
      if (fettle::detail::traces_defaults()) trace_default(on, named<Name>(), e);
      platform_traits<Platform>::run_default(on, named<Name>(), e, destination);
    }
  } catch (const error& found) {
    rethrow_named(named<Name>(), found);
  }
}

/// What run_chosen() would select, where the computation was tuned; else empty.
template <fixed_string Name, typename E, typename D, typename Platform>
[[nodiscard]] std::string choice_of(const Platform& on, const E& e, const D& destination) {
  if constexpr (has_choice<Name, E, Platform>()) {
    return tuned_function<Name, E, D, Platform>::choice(e, destination, on);
  } else {
    return {};
  }
}

/// The value of a reduce, as tuned or by default.
template <fixed_string Name, typename E, typename Platform>
[[nodiscard]] typename E::value_type value_chosen(const Platform& on, const E& e) {
  using value = typename E::value_type;
  try {
    if constexpr (has_choice<Name, E, Platform>()) {
      std::optional<value> result;
      const returned_value<value> destination{&result};
      tuned_function<Name, E, returned_value<value>, Platform>::run(e, destination, on);
      return *result;
    } else {
      if (fettle::detail::traces_defaults()) trace_default(on, named<Name>(), e);
      return platform_traits<Platform>::value(on, named<Name>(), e);
    }
  } catch (const error& found) {
    rethrow_named(named<Name>(), found);
  }
}

template <typename Platform, typename E, typename D, typename Schedule, typename Policy>
void run_by_hand(const Platform& on, const computation& named, const E& e, const D& destination,
                 Schedule schedule, const Policy& policy) {
  try {
    run_with_knobs<knobs_in<Policy>()>(on, named, e, destination, schedule, policy);
  } catch (const error& found) {
    rethrow_named(named, found);
  }
}
template <typename Platform, typename E, typename Schedule, typename Policy>
[[nodiscard]] typename E::value_type value_by_hand(const Platform& on, const computation& named,
                                                   const E& e, Schedule schedule,
                                                   const Policy& policy) {
  try {
    return value_with_knobs<knobs_in<Policy>()>(on, named, e, schedule, policy);
  } catch (const error& found) {
    rethrow_named(named, found);
  }
}

#endif

}  // namespace fettle::ndp::detail
