// Definitions of line_reader.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE bool line_reader::next() {
  if (rest_.empty()) return false;
  ++number_;
  const std::size_t end = rest_.find('\n');
  if (end == std::string_view::npos) fail("the file ends in the middle of a line: it is truncated");
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  return true;
}

[[gnu::cold]] FETTLE_INLINE void line_reader::require_line(const char* what) {
  if (next()) return;
  ++number_;  // the line that is missing
  fail("the file ends where " + std::string(what) + " should be: it is truncated");
}

[[gnu::cold]] FETTLE_INLINE bool line_reader::line_done() {
  skip_blanks();
  return line_.empty();
}

[[gnu::cold]] FETTLE_INLINE std::string_view line_reader::word(const char* what) {
  if (line_done()) fail(std::string(what) + " is missing");
  std::size_t end = 0;
  while (end < line_.size() && line_[end] != ' ') ++end;
  const std::string_view found = line_.substr(0, end);
  line_.remove_prefix(end);
  return found;
}

[[gnu::cold]] FETTLE_INLINE std::string line_reader::name(const char* what) {
  const std::string_view encoded = word(what);
  std::optional<std::string> decoded = percent_decode(encoded);
  if (!decoded) fail("'" + shown(encoded) + "' is a broken escape in " + what);
  return std::move(*decoded);
}

[[gnu::cold]] FETTLE_INLINE double line_reader::finite_in(std::string_view text,
                                                          const char* what) const {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || !is_finite(*value))
    fail("'" + shown(text) + "' is not a finite number for " + what);
  return *value;
}

[[gnu::cold]] FETTLE_INLINE std::string line_reader::shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += c >= 0x20 && c < 0x7F ? c : '?';
  if (text.size() > 40) out += "...";
  return out;
}

}  // namespace fettle::model::detail
