// set_reset(fettle::restore_arguments{}): training restores the arguments that variants change,
// from copies that it takes when a measured call begins.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/selection/next_best_run.hpp>

namespace fettle::inline FETTLE_ABI {

/// A reset for code_variant::set_reset(). Before each run of a variant, training assigns copies of
/// what the caller passed to the arguments given by non-const reference, and to the elements that a
/// std::span refers to. Const references and numbers need no restoring. What lies behind a pointer
/// or another kind of view is unknown: such arguments are refused at compile time. Objects are
/// copied by their own copy assignment. Costs one copy of these arguments a measured call, and
/// nothing outside training.
struct restore_arguments {};

namespace detail {

template <typename T>
inline constexpr bool is_changing_span_v = false;
template <typename T, std::size_t Extent>
inline constexpr bool is_changing_span_v<std::span<T, Extent>> = !std::is_const_v<T>;

template <typename Arg>
concept span_argument = is_changing_span_v<std::remove_cvref_t<Arg>>;
template <typename Arg>
concept changing_argument =
    std::is_lvalue_reference_v<Arg> && !std::is_const_v<std::remove_reference_t<Arg>>;
template <typename Arg>
inline constexpr bool points_to_const_v =
    std::is_pointer_v<std::remove_cvref_t<Arg>> &&
    std::is_const_v<std::remove_pointer_t<std::remove_cvref_t<Arg>>>;

/// Whether restore_arguments knows how to restore an argument, or that there is nothing to restore.
template <typename Arg>
inline constexpr bool is_restorable_v =
    std::is_pointer_v<std::remove_cvref_t<Arg>> ? points_to_const_v<Arg>
    : std::is_lvalue_reference_v<Arg>
        ? std::is_const_v<std::remove_reference_t<Arg>> || std::copyable<std::remove_cvref_t<Arg>>
        : std::is_arithmetic_v<std::remove_cvref_t<Arg>> ||
              std::is_enum_v<std::remove_cvref_t<Arg>>;
template <span_argument Arg>
inline constexpr bool is_restorable_v<Arg> =
    std::copyable<typename std::remove_cvref_t<Arg>::element_type>;

/// A copy of what variants can change of one argument.
template <typename Arg>
struct saved_argument {
  explicit saved_argument(const std::remove_reference_t<Arg>& /*argument*/) {}
  void restore(const std::remove_reference_t<Arg>& /*argument*/) const {}
};
template <changing_argument Arg>
struct saved_argument<Arg> {
  using object = std::remove_reference_t<Arg>;
  explicit saved_argument(const object& argument) : copy(argument) {}
  void restore(object& argument) const { argument = copy; }

  object copy;
};
template <span_argument Arg>
struct saved_argument<Arg> {
  using span = std::remove_cvref_t<Arg>;
  explicit saved_argument(const span& argument) : copy(argument.begin(), argument.end()) {}
  void restore(const span& argument) const {
    std::copy(copy.begin(), copy.end(), argument.begin());
  }

  std::vector<typename span::element_type> copy;
};

/// A reset function that restores the arguments as they are now.
template <typename... Args>
reset_function<Args...> restoring_function(std::remove_reference_t<Args>&... args) {
  auto saved =
      std::make_shared<const std::tuple<saved_argument<Args>...>>(saved_argument<Args>(args)...);
  return [saved](std::remove_reference_t<Args>&... changed) {
    std::apply([&](const auto&... each) { (each.restore(changed), ...); }, *saved);
  };
}

}  // namespace detail
}  // namespace fettle
