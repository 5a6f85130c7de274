// selection: whether an operator only chooses one of its operands, as a search for the latest or
// the greatest does.
//
// A loop over such calls has a branch that a processor guesses rightly, because a later element is
// rarely the better one. Chains side by side would find their own best ones, and each of them
// guesses wrongly as often as one chain does.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/host/lanes/seen_whole.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// Whether no number is wider than a register.
template <ndp::detail::of_numbers T>
[[nodiscard]] consteval bool has_small_numbers() {
  T value{};
  bool all_fit = true;
  ndp::detail::with_fields(value, [&](const auto&... numbers) {
    all_fit = ((sizeof numbers <= sizeof(double)) && ...);
  });
  return all_fit;
}

/// A struct or a tuple of numbers, of which operators may choose one.
template <typename T>
concept can_be_chosen =
    !std::is_arithmetic_v<T> && ndp::detail::of_numbers<T> && std::is_trivially_copyable_v<T> &&
    std::is_default_constructible_v<T> && has_small_numbers<T>();

// The integer with the bits of a number.
template <typename Number>
using bits_t = std::conditional_t<
    sizeof(Number) == 8, std::uint64_t,
    std::conditional_t<sizeof(Number) == 4, std::uint32_t,
                       std::conditional_t<sizeof(Number) == 2, std::uint16_t, std::uint8_t>>>;

// Whether the compiler knows that both are the same, bit for bit.
template <typename Number>
[[nodiscard, gnu::always_inline]] inline bool is_known_same(const Number& a, const Number& b) {
  const bool same = std::bit_cast<bits_t<Number>>(a) == std::bit_cast<bits_t<Number>>(b);
  return __builtin_constant_p(same) && same;
}

// Whether op(a, b) yields a's or b's number at `place`, one of b's numbers, if a and b differ in
// that number alone.
template <typename T, typename Op, typename Number>
[[nodiscard, gnu::always_inline]] inline bool chooses(const Op& op, const T& a, T& b,
                                                      Number& place) {
  const Number before = place;
  const Number other = any_value(before);
  place = other;
  const T result = op(static_cast<const T&>(a), static_cast<const T&>(b));
  Number found;
  const auto offset =
      reinterpret_cast<const std::byte*>(&place) - reinterpret_cast<const std::byte*>(&b);
  std::memcpy(&found, reinterpret_cast<const std::byte*>(&result) + offset, sizeof found);
  place = before;
  return is_known_same(found, before) || is_known_same(found, other);
}

/// Known when compiled, and false without optimisation: whether op(a, a) is a, and all numbers of
/// op(a, b) but one at most (by which it chooses) are known to be a's or b's wherever the others
/// are the same in both. (Two extremes of numbers are not.) A wrong answer costs time, and changes
/// no result. In a separate function, as is_seen_whole() is.
template <can_be_chosen T, typename Op>
[[nodiscard, gnu::noinline]] bool is_selection(const Op& op) {
  if (!is_seen_whole<T>(op)) return false;
  T a{};
  ndp::detail::with_fields(a, [](auto&... numbers) { ((numbers = any_value(numbers)), ...); });
  T b;
  ndp::detail::copy_fields(b, a);
  const T same = op(static_cast<const T&>(a), static_cast<const T&>(b));
  bool keeps = true;
  ndp::detail::with_fields(a, [&](const auto&... numbers) {
    ndp::detail::with_fields(
        same, [&](const auto&... results) { keeps = (is_known_same(numbers, results) && ...); });
  });
  int others = 0;
  ndp::detail::with_fields(
      b, [&](auto&... numbers) { ((others += chooses<T>(op, a, b, numbers) ? 0 : 1), ...); });
  return keeps && others <= 1;
}

}  // namespace fettle::ndp::host::detail
