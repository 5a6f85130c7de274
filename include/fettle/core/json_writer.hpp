// json_writer: appends JSON to a string, piece by piece; commas, quotes and escapes are its
// business.
//
//   std::string line;
//   json_writer(line).begin_object().field("call", 0).field("variant", "dia").end_object();
//   // {"call":0,"variant":"dia"}
#pragma once

#include <concepts>
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

  json_writer& key(std::string_view name);

  json_writer& value(std::string_view text);
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
  json_writer& value(std::span<const double> numbers);

  /// A value that is JSON already, such as one made by another writer; taken as it is.
  json_writer& raw(std::string_view json);

  template <typename Value>
  json_writer& field(std::string_view name, const Value& x) {
    return key(name).value(x);
  }

 private:
  json_writer& open(char bracket);

  json_writer& close(char bracket);

  // A comma is due after everything but an opening bracket, a colon and the writer's own start. A
  // string always ends in a quote, so its content is never mistaken for one of these.
  void separate();

  void append_string(std::string_view text);

  void append_hexadecimal(unsigned char byte);

  // The bytes of the well-formed UTF-8 sequence that `text` starts with (Unicode 15, table 3-7); 0
  // where there is none.
  [[nodiscard]] static std::size_t sequence_length(std::string_view text) noexcept;

  std::string* out_;
  std::size_t start_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/core/json_writer.ipp>
#endif
