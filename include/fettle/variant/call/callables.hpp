// What may serve as a variant, a feature or a constraint of a function with given arguments, and
// how each kind is called.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/call/erased_call.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What the paper's pointer forms point at: an object, but no name (a string literal is a pointer
/// too).
template <typename T>
concept function_object = std::is_object_v<T> && !std::same_as<std::remove_cv_t<T>, char>;

template <typename T>
concept object_pointer = std::is_pointer_v<T> && function_object<std::remove_pointer_t<T>>;

template <typename F, typename Result, typename... Args>
concept returns_convertible =
    std::invocable<F&, Args...> && std::convertible_to<std::invoke_result_t<F&, Args...>, Result>;

template <typename F, typename... Args>
concept returns_floating_point =
    std::invocable<F&, Args...> && std::floating_point<std::invoke_result_t<F&, Args...>>;

/// A variant of a function whose calls give `Result`: nothing (Fettle times it), the metric, or the
/// function's own result.
template <typename F, typename Result, typename... Args>
concept variant_callable =
    std::invocable<F&, Args...> &&
    (std::is_void_v<Result> || std::is_void_v<std::invoke_result_t<F&, Args...>> ||
     returns_convertible<F, Result, Args...>);

template <typename F, typename... Args>
concept returns_several_metrics =
    std::invocable<F&, Args...> && several_metrics<std::invoke_result_t<F&, Args...>>;

/// Whether a variant's own return value is a metric, or several: a floating-point number, or
/// fettle::measured.
template <typename F, typename... Args>
inline constexpr bool returns_number =
    returns_floating_point<F, Args...> || returns_several_metrics<F, Args...>;

template <typename F, typename... Args>
concept feature_callable =
    std::invocable<F&, observed<Args>...> &&
    std::is_arithmetic_v<std::remove_cvref_t<std::invoke_result_t<F&, observed<Args>...>>>;

template <typename F, typename... Args>
concept constraint_callable =
    std::invocable<F&, observed<Args>...> &&
    std::convertible_to<std::invoke_result_t<F&, observed<Args>...>, bool>;

template <typename Result, typename... Args>
struct call_variant {
  template <typename F>
  Result operator()(F& variant, Args&&... args) const {
    using returned = std::invoke_result_t<F&, Args...>;
    if constexpr (std::is_void_v<Result>) {
      static_cast<void>(std::invoke(variant, std::forward<Args>(args)...));
    } else if constexpr (std::is_void_v<returned>) {
      std::invoke(variant, std::forward<Args>(args)...);
      if constexpr (several_metrics<Result>) return Result();
      return std::numeric_limits<double>::quiet_NaN();  // not measured outside of training
    } else {
      return static_cast<Result>(std::invoke(variant, std::forward<Args>(args)...));
    }
  }
};

template <typename... Args>
struct call_feature {
  template <typename F>
  double operator()(F& feature, observed<Args>... args) const {
    return static_cast<double>(std::invoke(feature, args...));
  }
};

template <typename... Args>
struct call_constraint {
  template <typename F>
  bool operator()(F& constraint, observed<Args>... args) const {
    return static_cast<bool>(std::invoke(constraint, args...));
  }
};

template <typename Result, typename... Args>
using erased_variant = erased_call<Result, Args&&...>;
template <typename... Args>
using erased_feature = erased_call<double, observed<Args>...>;
template <typename... Args>
using erased_constraint = erased_call<bool, observed<Args>...>;

}  // namespace fettle::detail
