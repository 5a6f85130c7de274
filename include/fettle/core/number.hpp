// Numbers as text and back: shortest form that reads back to the same value, the same in every
// locale; and finiteness tests that survive -ffast-math.
#pragma once

#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// A type that is written as a number: no bool, no character.
template <typename T>
concept number = (std::integral<T> || std::floating_point<T>) && !std::same_as<T, bool> &&
                 !std::same_as<T, char>;

/// Neither infinite nor NaN. Unlike std::isfinite it looks at the bits, because compilers fold the
/// standard's tests to `true` under -ffast-math.
[[nodiscard]] constexpr bool is_finite(double value) noexcept {
  constexpr std::uint64_t exponent = 0x7FF0'0000'0000'0000U;
  return (std::bit_cast<std::uint64_t>(value) & exponent) != exponent;
}

[[nodiscard]] constexpr bool is_nan(double value) noexcept {
  constexpr std::uint64_t infinity = 0x7FF0'0000'0000'0000U;
  return (std::bit_cast<std::uint64_t>(value) & 0x7FFF'FFFF'FFFF'FFFFU) > infinity;
}

/// Appends the shortest decimal text that reads back to `value`; "inf", "-inf" or "nan" where it is
/// not finite.
template <number Number>
void append_number(std::string& out, Number value) {
  if constexpr (std::floating_point<Number>) {
    if (!is_finite(static_cast<double>(value))) {
      if (is_nan(static_cast<double>(value))) {
        out += "nan";
      } else {
        out += std::bit_cast<std::int64_t>(static_cast<double>(value)) < 0 ? "-inf" : "inf";
      }
      return;
    }
  }
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end.ptr);
}

/// What append_number() appends, as a string.
template <number Number>
[[nodiscard]] std::string number_text(Number value) {
  std::string out;
  append_number(out, value);
  return out;
}

/// The number that the whole of `text` spells; nothing where there is anything else in it (blanks,
/// a plus sign, trailing characters) or it is out of range. "inf" and "nan" are numbers to a
/// floating-point type: ask is_finite() where they are not wanted.
template <number Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) noexcept {
  Number value{};
  const char* const last = text.data() + text.size();
  const std::from_chars_result end = std::from_chars(text.data(), last, value);
  if (end.ec != std::errc{} || end.ptr != last) return std::nullopt;
  return value;
}

}  // namespace fettle
