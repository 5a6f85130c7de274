// What the compiler says to a variant, feature or constraint that does not fit: one sentence each.
// The checks return whether it fits, so that nothing is compiled that would fail after them.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/callables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Shape, typename Variant, typename... Args>
[[nodiscard]] consteval bool check_variant() {
  using result = typename Shape::result;
  constexpr bool needs_result = Shape::is_signature && !std::is_void_v<result>;
  constexpr bool is_callable = std::invocable<Variant&, Args...>;
  static_assert(is_callable,
                "A variant must be callable with the argument types of its code_variant.");
  constexpr bool returns_something = !is_callable || variant_callable<Variant, result, Args...>;
  static_assert(returns_something,
                "A variant must return double (its metric), nothing (Fettle times it), or what the "
                "code_variant's signature returns.");
  constexpr bool returns_result = !is_callable || !returns_something || !needs_result ||
                                  returns_convertible<Variant, result, Args...>;
  static_assert(returns_result,
                "A variant of a code_variant with a signature must return its result.");
  return is_callable && returns_something && returns_result;
}

/// `IsNeeded`: the policy asks for the metric of every call.
template <bool IsNeeded, bool IsReturned>
[[nodiscard]] consteval bool check_metric() {
  constexpr bool fits = !IsNeeded || IsReturned;
  static_assert(fits,
                "A variant of a function with on_infinite_metric = next_best must return its "
                "metric, a floating-point number: where it is infinite the next best variant "
                "runs.");
  return fits;
}

template <typename Feature, typename... Args>
[[nodiscard]] consteval bool check_feature() {
  constexpr bool fits = feature_callable<Feature, Args...>;
  static_assert(fits,
                "An input feature must be callable with the argument types of its code_variant, "
                "without changing them, and return a number.");
  return fits;
}

template <typename Constraint, typename... Args>
[[nodiscard]] consteval bool check_constraint() {
  constexpr bool fits = constraint_callable<Constraint, Args...>;
  static_assert(fits,
                "A constraint must be callable with the argument types of its code_variant, "
                "without changing them, and return bool.");
  return fits;
}

}  // namespace fettle::detail
