// Streams that write 1.234,5: what a locale does to numbers, on machines that have only C's too.
#pragma once

#include <locale>
#include <string>

namespace test {

/// The locale of all streams made while it lives.
class comma_locale {
 public:
  comma_locale()
      : before_(std::locale::global(std::locale(std::locale::classic(), new punctuation))) {}
  comma_locale(const comma_locale&) = delete;
  comma_locale& operator=(const comma_locale&) = delete;
  ~comma_locale() { std::locale::global(before_); }

 private:
  struct punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
};

}  // namespace test
