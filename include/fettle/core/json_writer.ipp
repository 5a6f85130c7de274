// Definitions of json_writer.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::key(std::string_view name) {
  separate();
  append_string(name);
  *out_ += ':';
  return *this;
}

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::value(std::string_view text) {
  separate();
  append_string(text);
  return *this;
}

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::value(std::span<const double> numbers) {
  begin_array();
  for (const double x : numbers) value(x);
  return end_array();
}

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::raw(std::string_view json) {
  separate();
  *out_ += json;
  return *this;
}

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::open(char bracket) {
  separate();
  *out_ += bracket;
  return *this;
}

[[gnu::cold]] FETTLE_INLINE json_writer& json_writer::close(char bracket) {
  *out_ += bracket;
  return *this;
}

[[gnu::cold]] FETTLE_INLINE void json_writer::separate() {
  if (out_->size() <= start_) return;
  const char last = out_->back();
  if (last != '{' && last != '[' && last != ':') *out_ += ',';
}

[[gnu::cold]] FETTLE_INLINE void json_writer::append_string(std::string_view text) {
  *out_ += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      *out_ += "\\udc";
      append_hexadecimal(byte);
      ++i;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      *out_ += '\\';
      *out_ += text[i];
    } else if (byte == '\n') {
      *out_ += "\\n";
    } else if (byte == '\t') {
      *out_ += "\\t";
    } else if (byte < 0x20) {
      *out_ += "\\u00";
      append_hexadecimal(byte);
    } else {
      out_->append(text, i, length);
    }
    i += length;
  }
  *out_ += '"';
}

[[gnu::cold]] FETTLE_INLINE void json_writer::append_hexadecimal(unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  *out_ += digits[byte >> 4];
  *out_ += digits[byte & 0xF];
}

[[gnu::cold]] FETTLE_INLINE std::size_t json_writer::sequence_length(
    std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, int low = 0x80, int high = 0xBF) {
    return i < text.size() && at(i) >= low && at(i) <= high;
  };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const int low = first == 0xE0 ? 0xA0 : 0x80;   // no overlong form
    const int high = first == 0xED ? 0x9F : 0xBF;  // no surrogate
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const int low = first == 0xF0 ? 0x90 : 0x80;
    const int high = first == 0xF4 ? 0x8F : 0xBF;  // nothing above U+10FFFF
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace fettle
