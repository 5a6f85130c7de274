// What the compiler says to a variant, feature or constraint that does not fit: one sentence each.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/callables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Shape, typename Variant, typename... Args>
constexpr void check_variant() {
  using result = typename Shape::result;
  static_assert(std::invocable<Variant&, Args...>,
                "A variant must be callable with the argument types of its code_variant.");
  static_assert(!std::invocable<Variant&, Args...> || variant_callable<Variant, result, Args...>,
                "A variant must return double (its metric), nothing (Fettle times it), or what the "
                "code_variant's signature returns.");
  if constexpr (Shape::is_signature && !std::is_void_v<result> &&
                std::invocable<Variant&, Args...>) {
    static_assert(std::convertible_to<std::invoke_result_t<Variant&, Args...>, result>,
                  "A variant of a code_variant with a signature must return its result.");
  }
}

/// `IsNeeded`: the policy asks for the metric of every call.
template <bool IsNeeded, bool IsReturned>
constexpr void check_metric() {
  static_assert(
      !IsNeeded || IsReturned,
      "A variant of a function with on_infinite_metric = next_best must return its "
      "metric, a floating-point number: where it is infinite the next best variant runs.");
}

template <typename Feature, typename... Args>
constexpr void check_feature() {
  static_assert(feature_callable<Feature, Args...>,
                "An input feature must be callable with the argument types of its code_variant, "
                "without changing them, and return a number.");
}

template <typename Constraint, typename... Args>
constexpr void check_constraint() {
  static_assert(constraint_callable<Constraint, Args...>,
                "A constraint must be callable with the argument types of its code_variant, "
                "without changing them, and return bool.");
}

}  // namespace fettle::detail
