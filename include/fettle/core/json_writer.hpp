// json_writer: appends JSON to a string, piece by piece; commas, quotes and escapes are its
// business.
//
//   std::string line;
//   json_writer(line).begin_object().field("call", 0).field("variant", "dia").end_object();
//   // {"call":0,"variant":"dia"}
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI {

/// Appends to the string that it was made with and keeps nothing else, so that a value may be
/// written by several writers in turn. It does not check that calls nest properly. Numbers that are
/// not finite, which JSON lacks, become the strings "inf", "-inf" and "nan". Bytes that are not
/// UTF-8 become \udcXX, which Python's os.fsencode() turns back into the byte.
class json_writer {
 public:
  explicit json_writer(std::string& out) noexcept : out_(&out), start_(out.size()) {}

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }

  json_writer& key(std::string_view name) {
    separate();
    append_string(name);
    *out_ += ':';
    return *this;
  }

  json_writer& value(std::string_view text) {
    separate();
    append_string(text);
    return *this;
  }
  json_writer& value(const char* text) { return value(std::string_view(text)); }
  json_writer& value(const std::string& text) { return value(std::string_view(text)); }

  template <std::same_as<bool> Bool>
  json_writer& value(Bool truth) {
    separate();
    *out_ += truth ? "true" : "false";
    return *this;
  }

  template <number Number>
  json_writer& value(Number x) {
    separate();
    if constexpr (std::floating_point<Number>) {
      if (!is_finite(static_cast<double>(x))) {
        append_string(number_text(x));
        return *this;
      }
    }
    append_number(*out_, x);
    return *this;
  }

  /// An array of numbers.
  json_writer& value(std::span<const double> numbers) {
    begin_array();
    for (const double x : numbers) value(x);
    return end_array();
  }

  /// A value that is JSON already, such as one made by another writer; taken as it is.
  json_writer& raw(std::string_view json) {
    separate();
    *out_ += json;
    return *this;
  }

  template <typename Value>
  json_writer& field(std::string_view name, const Value& x) {
    return key(name).value(x);
  }

 private:
  json_writer& open(char bracket) {
    separate();
    *out_ += bracket;
    return *this;
  }

  json_writer& close(char bracket) {
    *out_ += bracket;
    return *this;
  }

  // A comma is due after everything but an opening bracket, a colon and the writer's own start. A
  // string always ends in a quote, so its content is never mistaken for one of these.
  void separate() {
    if (out_->size() <= start_) return;
    const char last = out_->back();
    if (last != '{' && last != '[' && last != ':') *out_ += ',';
  }

  void append_string(std::string_view text) {
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

  void append_hexadecimal(unsigned char byte) {
    constexpr char digits[] = "0123456789abcdef";
    *out_ += digits[byte >> 4];
    *out_ += digits[byte & 0xF];
  }

  // The bytes of the well-formed UTF-8 sequence that `text` starts with (Unicode 15, table 3-7); 0
  // where there is none.
  [[nodiscard]] static std::size_t sequence_length(std::string_view text) noexcept {
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

  std::string* out_;
  std::size_t start_;
};

}  // namespace fettle
