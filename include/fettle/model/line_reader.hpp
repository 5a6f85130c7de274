// line_reader: takes a model file apart, line by line and word by word, and says file and line when
// something is wrong. Knows no locale and trusts nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// What to do about any model that cannot be used.
inline constexpr const char* remedy = "run the tuning script again";

/// Reads `text`, which must stay alive, as the content of the file called `file`.
class line_reader {
 public:
  line_reader(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {}

  /// Goes to the next line; false where there is none. A line without its end was cut off: an
  /// error.
  bool next();

  /// next(), where there has to be a line; `what` says which.
  void require_line(const char* what);

  /// Whether all words of the line are read.
  [[nodiscard]] bool line_done();

  /// The next word of the line; an error where there is none.
  std::string_view word(const char* what);

  /// The next word, which has to be a percent-encoded name.
  std::string name(const char* what);

  /// The next word, which has to be a number within [low, high].
  template <fettle::number Number>
  Number number(const char* what, Number low, Number high) {
    return number_in(word(what), what, low, high);
  }

  /// The next word, which has to be a finite number.
  double finite(const char* what) { return finite_in(word(what), what); }

  template <fettle::number Number>
  Number number_in(std::string_view text, const char* what, Number low, Number high) const {
    const std::optional<Number> value = parse_number<Number>(text);
    if (!value) fail("'" + shown(text) + "' is not a number of the right kind for " + what);
    if (is_nan(static_cast<double>(*value)) || *value < low || *value > high) {
      fail(std::string(what) + " is " + shown(text) + ", but must be within " + number_text(low) +
           " and " + number_text(high));
    }
    return *value;
  }

  double finite_in(std::string_view text, const char* what) const;

  /// The line must have no more words.
  void end_line() {
    if (!line_done()) fail("there is '" + shown(line_) + "' too much at the end of the line");
  }

  /// The file must have no more lines.
  void end_file() {
    if (next()) fail("there is more after the end");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw error("'" + file_ + "' line " + number_text(number_) + ": " + what + "; " + remedy);
  }

  /// `text` as an error message shows it: not all of a long one, and nothing unprintable.
  [[nodiscard]] static std::string shown(std::string_view text);

 private:
  void skip_blanks() {
    while (!line_.empty() && line_.front() == ' ') line_.remove_prefix(1);
  }

  std::string file_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// The words of a line that begins with its key, as in `variants csr dia ell`.
[[nodiscard]] inline std::string quoted(std::string_view text) {
  return "'" + line_reader::shown(text) + "'";
}

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/line_reader.ipp>
#endif
