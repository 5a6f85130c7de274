// What execute() checks before it runs anything: what is wrong with the types is a compile-time
// error, what is wrong with the sizes is thrown.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/argument_sizes.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/destination_size.hpp>
#include <fettle/ndp/shape/expression.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// A computation without a result: it updates memory by itself.
template <typename E>
concept effect_only = operation<E> && std::is_void_v<typename std::remove_cvref_t<E>::value_type>;

/// A top-level reduction to one value that is no sequence.
template <typename E>
concept scalar_reduction = is_reduced_v<std::remove_cvref_t<E>> &&
                           !sequence_like<typename std::remove_cvref_t<E>::value_type>;

template <typename T>
concept platform_or_schedule =
    platform_like<std::remove_cvref_t<T>> || schedule::schedule_like<std::remove_cvref_t<T>>;

/// A variable that takes the value of a reduction.
template <typename T>
concept result_variable = !random_access<T> && !platform_or_schedule<T>;

// That the platform's traits are complete.
template <typename Platform, typename E, typename D>
constexpr void check_platform() {
  static_assert(
      platform_with_rules<Platform> && (scalar_reduction<E> || platform_that_runs<Platform, E, D>),
      "execute: platform_traits of this platform lack a member: "
      "<fettle/ndp/schedule/platform_traits.hpp> lists what they have to have");
}

// All sizes that are known before anything is computed. A program that is introspected has no
// input: it ends at its first execute().
template <typename Platform, typename E, typename D>
void check_sizes([[maybe_unused]] const computation& named, [[maybe_unused]] const E& e,
                 [[maybe_unused]] const D& destination) {
#ifndef FETTLE_INTROSPECT
  check_arguments<Platform>(named, e);
  if constexpr (!std::is_same_v<D, no_destination>) {
    check_destination_size<Platform>(named, e, destination);
  }
#endif
}

template <typename E, typename D>
constexpr void check_destination() {
  static_assert(
      operation<E>,
      "execute: the first argument must be an expression, built by map, reduce, scan ...; to copy "
      "a sequence, map(identity{}, s)");
  static_assert(
      !effect_only<E>,
      "execute: a scatter, or a map whose function returns void, updates memory by itself "
      "and takes no destination");
  if constexpr (nested<D>) {
    static_assert(writable<std::remove_cvref_t<element_t<D>>>,
                  "execute: the destination's rows are read only; make it from memory that is not "
                  "const");
  } else {
    static_assert(writable<D>,
                  "execute: the destination is read only; make it from memory that is not const");
  }
}

template <typename E>
constexpr void check_no_destination() {
  static_assert(effect_only<E> || scalar_reduction<E>,
                "execute: this expression yields a sequence and needs a destination: "
                "execute(expression, destination, ...)");
}

template <fixed_string Name>
[[nodiscard]] constexpr computation named() {
  if constexpr (Name.empty()) {
    return {};
  } else {
    return {Name.view()};
  }
}

// Refuses a schedule that is not valid for the expression or that the platform cannot implement,
// and another platform's policy.
template <typename Schedule, typename Policy, typename E, typename Platform>
constexpr void check_by_hand() {
  static_assert(policy_for<Policy, Platform>,
                "execute: this policy is another platform's; each platform takes that of the "
                "namespace of its "
                "name, as platform::openmp takes openmp::policy (platform::cuda as "
                "constant<cuda::policy{}>)");
  schedule::require_valid<Schedule, expression_of_t<E>>();
  schedule::require_implementable<Schedule, expression_of_t<E>, Platform>();
  if constexpr (constant_policy<Policy>) {
    static_assert(
        platform_traits<Platform>::violation(Policy::value, schedule::nodes_v<Schedule>).empty(),
        "execute: this policy breaks one of the platform's limits with this schedule; "
        "violation(policy, schedule) says which");
  }
}

// The same limits for a policy that is known at run time only.
template <typename Schedule, typename Platform, typename Policy>
void check_policy(const computation& named, const Policy& policy) {
  if constexpr (!constant_policy<Policy>) {
    const std::string_view why =
        platform_traits<Platform>::violation(policy, schedule::nodes_v<Schedule>);
    if (!why.empty()) {
      throw error(std::string(named.name) + ": this policy cannot be used: " + std::string(why));
    }
  }
}

}  // namespace detail

}  // namespace fettle::ndp
