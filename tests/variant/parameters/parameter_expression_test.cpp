// Constraints between parameters: what they mean, and what is said of those that cannot be read.
#include <algorithm>
#include <string>
#include <vector>

#include <fettle/variant/parameters/parameter_expression.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

using fettle::detail::expression;

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The values in "a=1 b=2" in the order of the expression's names.
std::vector<std::int64_t> values_of(const std::string& text,
                                    const std::vector<std::string>& names) {
  std::vector<std::int64_t> values(names.size(), 0);
  std::size_t found = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t equals = word.find('=');
    const auto name = std::find(names.begin(), names.end(), word.substr(0, equals));
    REQUIRE(name != names.end());
    values[static_cast<std::size_t>(name - names.begin())] = std::stoll(word.substr(equals + 1));
    ++found;
    at = end + 1;
  }
  REQUIRE(found == names.size());
  return values;
}

std::string message_of(const std::string& text) {
  try {
    expression{text};
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("expressions mean what the cases say") {
  std::size_t cases = 0;
  for (const std::string& line :
       test::lines_of(FETTLE_SOURCE_DIR "/tests/variant/golden/expressions.txt")) {
    if (line.starts_with("#")) continue;
    CAPTURE(line);
    ++cases;
    const std::size_t first = line.find(';');
    const std::string text = trimmed(line.substr(0, first));
    const std::string rest = trimmed(line.substr(first + 1));
    if (rest.starts_with("?")) {
      const std::string wanted =
          "the constraint '" + text + "' cannot be read: " + trimmed(rest.substr(1));
      CHECK(message_of(text) == wanted);
      continue;
    }
    const std::size_t second = rest.find(';');
    const expression read(text);
    const std::string verdict = trimmed(rest.substr(second + 1));
    REQUIRE((verdict == "yes" || verdict == "no"));
    CHECK(read.holds(values_of(trimmed(rest.substr(0, second)), read.names())) ==
          (verdict == "yes"));
  }
  CHECK(cases > 30);
}

TEST_CASE("an expression's nesting is bounded") {
  CHECK_NOTHROW(expression(std::string(50, '(') + "1" + std::string(50, ')')));
  CHECK_THROWS_AS(expression(std::string(5000, '(') + "1" + std::string(5000, ')')), fettle::error);
  CHECK_THROWS_AS(expression(std::string(5000, '!') + "1"), fettle::error);
}
