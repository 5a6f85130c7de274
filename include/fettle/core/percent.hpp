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
[[nodiscard]] std::string percent_encode(std::string_view text);

/// What percent_encode() (or any URL encoder) made `text` from; nothing where a '%' is not followed
/// by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/core/percent.ipp>
#endif
