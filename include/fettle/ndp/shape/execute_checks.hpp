// What execute() checks before it runs anything: what is wrong with the types is a compile-time
// error, what is wrong with the sizes is thrown.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/shape/argument_sizes.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/destination_checks.hpp>
#include <fettle/ndp/shape/destination_size.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/holds_result.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// A computation without a result: it updates memory by itself.
template <typename E>
concept effect_only = operation<E> && std::is_void_v<typename std::remove_cvref_t<E>::value_type>;

/// A top-level reduction to one value that is not a sequence.
template <typename E>
concept scalar_reduction = is_reduced_v<std::remove_cvref_t<E>> &&
                           !sequence_like<typename std::remove_cvref_t<E>::value_type>;

template <typename T>
concept platform_or_schedule =
    platform_like<std::remove_cvref_t<T>> || schedule::schedule_like<std::remove_cvref_t<T>>;

/// A variable that takes the value of a reduction.
template <typename T>
concept result_variable = !random_access<T> && !platform_or_schedule<T>;

// Each check of types says in one sentence what is wrong, and returns whether all is well, so that
// execute() compiles nothing that would fail after it.

/// The platform's traits are complete, and it can run computations in this program.
template <typename Platform, typename E, typename D>
[[nodiscard]] consteval bool check_platform() {
  if constexpr (has_unknown_traits<Platform>) {
    return false;  // which is an error already
  } else {
    constexpr bool complete =
        platform_with_rules<Platform> &&
        (scalar_reduction<E> || !is_available_v<Platform> || platform_that_runs<Platform, E, D>);
    static_assert(complete,
                  "execute: platform_traits of this platform lack a member: "
                  "<fettle/ndp/schedule/platform_traits.hpp> lists what they have to have");
    constexpr bool runs = is_available_v<Platform> || !complete;
    static_assert(runs,
                  "execute: this platform cannot run computations in this file: platform::cuda "
                  "needs nvcc, without it use platform::openmp");
    if constexpr (!complete || !runs) {
      return false;
    } else if constexpr (requires { platform_traits<Platform>::template check_functions<E>(); }) {
      return platform_traits<Platform>::template check_functions<E>();
    } else {
      return true;
    }
  }
}

/// ... outside of a program, whose results lie where the program's user finds them on the host
/// only.
template <typename Platform, typename E, typename D>
[[nodiscard]] consteval bool check_outside_program() {
  if constexpr (check_platform<Platform, E, D>()) {
    constexpr bool finds_results = Platform::runs_on_host || !holds_result_v<E>;
    static_assert(finds_results,
                  "execute: kernels cannot read a result of a program outside of it: give the "
                  "computation to the program's add(), or read p.result(r) after p.execute()");
    return finds_results;
  } else {
    return false;
  }
}

/// `e` is an expression whose results a D takes.
template <typename E, typename D>
[[nodiscard]] consteval bool check_destination() {
  constexpr bool is_expression = operation<E> || any_invalid_v<E>;
  static_assert(
      is_expression,
      "execute: the first argument must be an expression, built by map, reduce, scan ...; to copy "
      "a sequence, map(identity{}, s)");
  if constexpr (is_expression && !any_invalid_v<E, D>) {
    constexpr bool has_result = !effect_only<E>;
    static_assert(
        has_result,
        "execute: a scatter, or a map whose function returns void, updates memory by itself "
        "and takes no destination");
    constexpr bool counts = !is_counted_v<D> || has_count<E>;
    static_assert(counts,
                  "execute: a counted destination is for filter, partition, unique, runs_by_key "
                  "and a reduce_by_key of values; how many results others have is known before");
    constexpr bool inside = has_whole_operator_inside<E>();
    static_assert(!inside,
                  "execute: filter, partition, unique, runs_by_key, reduce_by_index, sort and "
                  "sort_by_key work on a whole sequence and cannot be nested in another operator; "
                  "execute them by themselves");
    if constexpr (has_result && counts && !inside) {
      if constexpr (check_pairs<E, D>()) return check_sequence_of_results<E, D>();
    }
  }
  return false;
}

/// Without a destination, `e` updates memory by itself or is a reduction to one value.
template <typename E>
[[nodiscard]] consteval bool check_no_destination() {
  constexpr bool is_expression = operation<E> || any_invalid_v<E>;
  static_assert(is_expression,
                "execute: the first argument must be an expression, built by map, reduce, scan "
                "..., and the second one its destination");
  constexpr bool needs_none = effect_only<E> || scalar_reduction<E> || !operation<E>;
  static_assert(needs_none,
                "execute: this expression yields a sequence and needs a destination: "
                "execute(expression, destination, ...)");
  return operation<E> && needs_none;
}

/// The schedule is valid for the expression, the platform can implement it, and the policy is the
/// platform's and within its limits.
template <typename Schedule, typename Policy, typename E, typename Platform>
[[nodiscard]] consteval bool check_by_hand() {
  constexpr bool own_policy = policy_for<Policy, Platform>;
  static_assert(own_policy,
                "execute: this policy is another platform's; each platform takes that of the "
                "namespace of its name, as platform::openmp takes openmp::policy (platform::cuda "
                "as constant<cuda::policy{}>)");
  constexpr bool implementable =
      schedule::require_valid<Schedule, expression_of_t<E>>() &&
      schedule::require_implementable<Schedule, expression_of_t<E>, Platform>();
  if constexpr (own_policy && implementable && constant_policy<Policy>) {
    constexpr bool allowed =
        platform_traits<Platform>::violation(Policy::value, schedule::nodes_v<Schedule>).empty();
    static_assert(allowed,
                  "execute: this policy breaks one of the platform's limits with this schedule; "
                  "violation(policy, schedule) says which");
    return allowed;
  }
  return own_policy && implementable;
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

template <fixed_string Name>
[[nodiscard]] constexpr computation named() {
  if constexpr (Name.empty()) {
    return {};
  } else {
    constexpr bool is_one_line = std::ranges::all_of(
        Name.view(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
    static_assert(is_one_line,
                  "execute: the name of a computation has a control character, such as a line "
                  "break, in it");
    return {Name.view()};
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
    if (!knobs_of(policy).are_exact()) {
      throw error(std::string(named.name) +
                  ": sample, perforate and accumulation change what is computed, so that they are "
                  "part of the type: give the policy as a constant, constant<policy{...}>{}");
    }
  }
}

}  // namespace detail

}  // namespace fettle::ndp
