// selection: whether an operator only chooses one of its operands, as a search for the latest or
// the greatest does.
//
// A loop over such calls has a branch that a processor guesses rightly, because a later element is
// rarely the better one. Chains side by side would find their own best ones, and each of them
// guesses wrongly as often as one chain does. Without optimisation, and of operators that choose
// by several numbers, a sample of the elements tells. (Operators that combine number by number, as
// sums and extremes do, need none.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
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

template <typename Number>
[[nodiscard, gnu::always_inline]] inline bool has_same_bits(const Number& a, const Number& b) {
  return std::bit_cast<bits_t<Number>>(a) == std::bit_cast<bits_t<Number>>(b);
}

// Whether the compiler knows that both are the same, bit for bit.
template <typename Number>
[[nodiscard, gnu::always_inline]] inline bool is_known_same(const Number& a, const Number& b) {
  const bool same = has_same_bits(a, b);
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

/// Whether op(a, a) is a, and all numbers of op(a, b) but one at most (by which it chooses) are
/// known to be a's or b's wherever the others are the same in both. (Two extremes of numbers are
/// not.)
template <can_be_chosen T, typename Op>
[[nodiscard, gnu::always_inline]] inline bool is_selection(const Op& op) {
  T a{};
  make_unknown(a);
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

// Whether op(a, b) has the same number at `place`, one of a's numbers, whatever the other numbers
// of a and b are.
template <typename T, typename Op, typename Number>
[[nodiscard, gnu::always_inline]] inline bool is_apart(const Op& op, const T& a, const T& b,
                                                       const Number& place) {
  const auto offset =
      reinterpret_cast<const std::byte*>(&place) - reinterpret_cast<const std::byte*>(&a);
  const auto number_of = [offset](const T& value) {
    Number number;
    std::memcpy(&number, reinterpret_cast<const std::byte*>(&value) + offset, sizeof number);
    return number;
  };
  const auto with_number_of = [&](const T& value) {
    T other{};
    make_unknown(other);
    const Number number = number_of(value);
    std::memcpy(reinterpret_cast<std::byte*>(&other) + offset, &number, sizeof number);
    return other;
  };
  const T c = with_number_of(a);
  const T d = with_number_of(b);
  return is_known_same(number_of(op(a, b)), number_of(op(c, d)));
}

/// Whether each number of op(a, b) is known to depend on that number of a and b alone, as sums and
/// extremes do.
template <can_be_chosen T, typename Op>
[[nodiscard, gnu::always_inline]] inline bool is_number_by_number(const Op& op) {
  T a{};
  T b{};
  make_unknown(a);
  make_unknown(b);
  bool apart = true;
  ndp::detail::with_fields(a, [&](const auto&... numbers) {
    apart = (is_apart<T>(op, static_cast<const T&>(a), static_cast<const T&>(b), numbers) && ...);
  });
  return apart;
}

/// How an operator makes its result.
enum class result_from { one_operand, each_number, unknown };

/// Known when compiled, and unknown without optimisation. A wrong answer costs time, and changes no
/// result. In a separate function, as is_seen_whole() is.
template <can_be_chosen T, typename Op>
[[nodiscard, gnu::noinline]] result_from result_of(const Op& op) {
  if (!is_seen_whole<T>(op)) return result_from::unknown;
  if (is_selection<T>(op)) return result_from::one_operand;
  return is_number_by_number<T>(op) ? result_from::each_number : result_from::unknown;
}

template <can_be_chosen T>
[[nodiscard]] bool has_same_numbers(const T& a, const T& b) {
  bool is_same = false;
  ndp::detail::with_fields(a, [&](const auto&... of_a) {
    ndp::detail::with_fields(
        b, [&](const auto&... of_b) { is_same = (has_same_bits(of_a, of_b) && ...); });
  });
  return is_same;
}

/// Elements that are enough to look at nine of them: it costs a percent.
inline constexpr index_t shortest_sampled = 1024;

/// Whether fewer elements are worth a look at four of them: those as small as what searches for the
/// greatest, or the greatest two, yield.
template <typename T>
inline constexpr bool is_worth_few_samples_v = sizeof(T) <= 16;

// Whether a number is among those of a value.
template <typename Number, typename T>
[[nodiscard]] bool is_among(const Number& number, const T& value) {
  bool found = false;
  ndp::detail::with_fields(value, [&](const auto&... numbers) {
    const auto is_same = [&](const auto& other) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(other)>, Number>) {
        return has_same_bits(number, other);
      } else {
        return false;
      }
    };
    found = (is_same(numbers) || ...);
  });
  return found;
}

/// Whether `result` is `a` or `b`, or made of their numbers of which one has another place: what
/// merges the greatest few of two parts does so, and compares like a choice. (The extremes of
/// numbers keep their places.)
template <can_be_chosen T>
[[nodiscard]] bool is_chosen(const T& result, const T& a, const T& b) {
  if (has_same_numbers(result, a) || has_same_numbers(result, b)) return true;
  if constexpr (!is_worth_few_samples_v<T>) return false;
  bool is_of_both = true;
  bool has_moved = false;
  ndp::detail::with_fields(result, [&](const auto&... of_result) {
    is_of_both = ((is_among(of_result, a) || is_among(of_result, b)) && ...);
    ndp::detail::with_fields(a, [&](const auto&... of_a) {
      ndp::detail::with_fields(b, [&](const auto&... of_b) {
        has_moved = ((!has_same_bits(of_result, of_a) && !has_same_bits(of_result, of_b)) || ...);
      });
    });
  });
  return is_of_both && has_moved;
}

/// Whether op yields one of its operands (is_chosen()) at each step of a reduction of a few of
/// s[first] to s[last - 1], half of which at least differ from what was chosen of those before:
/// what the compiler cannot know of a choice by one number and, where that is the same, by another.
/// (Sums do so only where most elements are 0.) A wrong answer costs time, and changes no result.
template <can_be_chosen T, typename Op, typename S>
[[nodiscard, gnu::noinline]] bool chose_in_sample(const Op& op, const S& s, index_t first,
                                                  index_t last) {
  const bool is_long = last - first >= shortest_sampled;
  const index_t more = is_long ? 8 : 3;
  const index_t step = is_long ? (last - first) / 9 : (last - first) / 4;
  int different = 0;
  auto chosen = static_cast<T>(s[first]);
  for (index_t k = 1; k <= more; ++k) {
    const auto b = static_cast<T>(s[first + k * step]);
    if (has_same_numbers(chosen, b)) continue;
    ++different;
    const T result = op(static_cast<const T&>(chosen), static_cast<const T&>(b));
    if (!is_chosen(result, chosen, b)) return false;
    chosen = result;
  }
  return 2 * different >= more;
}

/// Whether op only chooses, as far as the compiler or a sample tells.
template <can_be_chosen T, typename Op, typename S>
[[nodiscard, gnu::always_inline]] inline bool only_chooses(const Op& op, const S& s, index_t first,
                                                           index_t last) {
  const result_from known = result_of<T>(op);
  if (known == result_from::one_operand) return true;
  const bool is_worth_it = is_worth_few_samples_v<T> || last - first >= shortest_sampled;
  return known == result_from::unknown && is_worth_it && chose_in_sample<T>(op, s, first, last);
}

}  // namespace fettle::ndp::host::detail
