// Percent encoding: how names travel through Fettle's space-separated texts (model files, the
// training request), as in URLs: a blank is %20, a comma %2C.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

[[nodiscard]] constexpr bool needs_percent(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || c == '%' || c == ',' || c == '=';
}

[[nodiscard]] constexpr int hexadecimal_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace detail

/// `text` with blanks, control characters, '%', ',' and '=' as %XX; every other byte, UTF-8's
/// included, stays as it is.
[[nodiscard]] inline std::string percent_encode(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (detail::needs_percent(c)) {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 0xF];
    } else {
      out += c;
    }
  }
  return out;
}

/// What percent_encode() (or any URL encoder) made `text` from; nothing where a '%' is not followed
/// by two hexadecimal digits.
[[nodiscard]] inline std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = detail::hexadecimal_digit(text[i + 1]);
    const int low = detail::hexadecimal_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace fettle
