// A strict and fast reader of Matrix Market coordinate files, plain or xz-compressed.
// Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935 (1996).
#pragma once

#include <charconv>
#include <cmath>

#include "csr.hpp"
#include "text_file.hpp"

namespace spmv {
namespace detail {

enum class symmetry { general, symmetric, skew_symmetric };

/// Walks through the text line by line, field by field, and knows where it is when it complains.
class matrix_market_text {
 public:
  matrix_market_text(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::runtime_error(name_ + ":" + std::to_string(line_number_) + ": " + problem);
  }

  /// Goes to the next line; false at the end of the text.
  bool next_line() {
    if (rest_.empty()) return false;
    ++line_number_;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return true;
  }

  /// Goes to the next line that is neither blank nor a comment; false at the end of the text.
  bool next_data_line() {
    while (next_line()) {
      skip_space();
      if (!line_.empty() && line_.front() != '%') return true;
    }
    return false;
  }

  std::string_view next_word() {
    skip_space();
    const std::size_t end = std::min(line_.find_first_of(" \t\r\v\f"), line_.size());
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    return word;
  }

  std::int64_t next_count(const char* what) {
    std::int64_t number = 0;
    next_number(number, what, "a whole number");
    return number;
  }

  double next_value() {
    double number = 0;
    next_number(number, "value", "a number such as -1.25e3");
    if (!std::isfinite(number)) fail("the value is not finite; remove the entry or repair it");
    return number;
  }

  void end_line(const char* expected) {
    skip_space();
    if (!line_.empty())
      fail("unexpected '" + std::string(line_.substr(0, 20)) + "' after " + expected);
  }

  std::size_t bytes_left() const noexcept { return rest_.size(); }

 private:
  void skip_space() {
    while (!line_.empty() &&
           (line_.front() == ' ' || (line_.front() >= '\t' && line_.front() <= '\r')))
      line_.remove_prefix(1);
  }

  template <class Number>
  void next_number(Number& number, const char* what, const char* expected) {
    skip_space();
    if (line_.empty()) fail(std::string("the ") + what + " is missing: expected " + expected);
    // std::from_chars takes no leading plus, the format's Fortran writers do.
    const bool plus = line_.front() == '+' && line_.size() > 1 && line_[1] != '-';
    const char* first = line_.data() + (plus ? 1 : 0);
    const auto [end, error] = std::from_chars(first, line_.data() + line_.size(), number);
    const auto used = static_cast<std::size_t>(end - line_.data());
    const bool ends_word =
        used == line_.size() || line_[used] == ' ' || (line_[used] >= '\t' && line_[used] <= '\r');
    if (error != std::errc{} || !ends_word)
      fail(std::string("the ") + what + " '" + std::string(next_word()) + "' is not " + expected);
    line_.remove_prefix(used);
  }

  std::string_view rest_;
  std::string_view line_;
  const std::string& name_;
  std::int64_t line_number_ = 0;
};

struct matrix_market_banner {
  bool pattern;
  symmetry kind;
};

inline matrix_market_banner read_banner(matrix_market_text& text) {
  const auto lower = [&] {
    std::string word(text.next_word());
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return word;
  };
  if (!text.next_line() || lower() != "%%matrixmarket")
    text.fail(
        "no Matrix Market file: the first line must be "
        "'%%MatrixMarket matrix coordinate real general' or alike");
  if (const auto object = lower(); object != "matrix")
    text.fail("the banner announces a '" + object + "'; only 'matrix' can be read");
  if (const auto format = lower(); format != "coordinate")
    text.fail("the banner's format is '" + format +
              "'; only sparse files can be read: store it as 'coordinate'");
  const auto field = lower();
  if (field != "real" && field != "integer" && field != "pattern" && field != "double")
    text.fail("the banner's field is '" + field + "'; real, integer and pattern can be read" +
              (field == "complex" ? ": store the real or the imaginary part" : ""));
  const auto kind = lower();
  if (kind != "general" && kind != "symmetric" && kind != "skew-symmetric")
    text.fail("the banner's symmetry is '" + kind +
              "'; general, symmetric and skew-symmetric can be read");
  if (field == "pattern" && kind == "skew-symmetric")
    text.fail("a pattern has no signs and cannot be skew-symmetric; store the values");
  text.end_line("the banner");
  return {field == "pattern", kind == "general"     ? symmetry::general
                              : kind == "symmetric" ? symmetry::symmetric
                                                    : symmetry::skew_symmetric};
}

}  // namespace detail

/// Reads a matrix from the text of a Matrix Market file; `name` is its name in errors.
/// Fields real, integer and pattern (all values 1); symmetries general, symmetric and
/// skew-symmetric, of which both triangles are returned. Entries of the same row and column are
/// added. Throws std::runtime_error "name:line: what is wrong" for anything else. O(bytes).
inline csr_matrix<double> parse_matrix_market(std::string_view bytes, const std::string& name) {
  using detail::symmetry;
  detail::matrix_market_text text(bytes, name);
  const auto [pattern, kind] = detail::read_banner(text);
  if (!text.next_data_line())
    text.fail("the file ends before the line 'rows columns entries'; fetch the file again");
  const std::int64_t rows = text.next_count("number of rows");
  const std::int64_t columns = text.next_count("number of columns");
  const std::int64_t count = text.next_count("number of entries");
  text.end_line("'rows columns entries'");
  constexpr std::int64_t most = 1 << 28;
  if (rows < 0 || columns < 0 || count < 0) text.fail("the sizes must not be negative");
  if (rows > most || columns > most)
    text.fail("this example reads matrices of at most " + std::to_string(most) +
              " rows and columns");
  if (kind != symmetry::general && rows != columns)
    text.fail("a symmetric matrix must be square, this one has " + std::to_string(rows) +
              " rows and " + std::to_string(columns) + " columns");
  // "1 1\n" is the shortest entry: a count that the file cannot hold must not be allocated.
  if (count > static_cast<std::int64_t>(text.bytes_left() / 4 + 1))
    text.fail("the file announces " + std::to_string(count) + " entries and has only " +
              std::to_string(text.bytes_left()) +
              " bytes after this line: it is truncated; fetch the file again");
  std::vector<entry<double>> entries;
  entries.reserve(static_cast<std::size_t>(count) * (kind == symmetry::general ? 1 : 2));
  for (std::int64_t n = 0; n < count; ++n) {
    if (!text.next_data_line())
      text.fail("the file ends after " + std::to_string(n) + " of " + std::to_string(count) +
                " entries; fetch the file again");
    const std::int64_t row = text.next_count("row");
    const std::int64_t column = text.next_count("column");
    const double value = pattern ? 1.0 : text.next_value();
    text.end_line(pattern ? "'row column' of a pattern" : "'row column value'");
    const auto entry = [&] {
      return "entry (" + std::to_string(row) + ", " + std::to_string(column) + ")";
    };
    if (row < 1 || row > rows || column < 1 || column > columns)
      text.fail(entry() + " is outside the matrix of " + std::to_string(rows) + " x " +
                std::to_string(columns) + "; indices start at 1");
    if (kind != symmetry::general && column > row)
      text.fail(entry() +
                " is above the diagonal; a symmetric file stores the lower triangle only");
    if (kind == symmetry::skew_symmetric && row == column && value != 0)
      text.fail(entry() + " is on the diagonal, which is zero in a skew-symmetric matrix");
    const auto r = static_cast<index>(row - 1);
    const auto c = static_cast<index>(column - 1);
    entries.push_back({r, c, value});
    if (kind != symmetry::general && r != c)
      entries.push_back({c, r, kind == symmetry::symmetric ? value : -value});
  }
  if (text.next_data_line())
    text.fail("there is more after the " + std::to_string(count) +
              " entries that the file announces");
  return csr_from_entries<double>(static_cast<index>(rows), static_cast<index>(columns), entries);
}

/// Reads a Matrix Market file, plain or xz-compressed. Throws std::runtime_error naming file, line
/// and problem.
inline csr_matrix<double> read_matrix_market(const std::string& path) {
  return parse_matrix_market(read_text_file(path), path);
}

}  // namespace spmv
