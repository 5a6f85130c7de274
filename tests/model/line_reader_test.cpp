#include <fettle/model/line_reader.hpp>

#include "support/catch.hpp"

using fettle::model::detail::line_reader;

namespace {

template <typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const fettle::error& caught) {
    return caught.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("lines are taken apart word by word") {
  line_reader lines("f", "one 2  3.5 \n\nla%73t\n");
  REQUIRE(lines.next());
  CHECK(lines.word("a word") == "one");
  CHECK(lines.number("a number", 0, 10) == 2);
  CHECK_FALSE(lines.line_done());
  CHECK(lines.finite("a number") == 3.5);
  CHECK(lines.line_done());
  lines.end_line();
  REQUIRE(lines.next());
  CHECK(lines.line_done());
  REQUIRE(lines.next());
  CHECK(lines.name("a name") == "last");
  CHECK_FALSE(lines.next());
  lines.end_file();
}

TEST_CASE("every complaint names file, line and remedy") {
  line_reader lines("dir/model.txt", "first\nsecond 1e999 -1 12 nan x%2 y\nthird");
  lines.require_line("a line");
  CHECK(message_of([&] { lines.end_line(); }) ==
        "'dir/model.txt' line 1: there is 'first' too much at the end of the line; run the tuning "
        "script again");
  lines.require_line("a line");
  CHECK(lines.word("a word") == "second");
  const std::string start = "'dir/model.txt' line 2: ";
  const std::string end = "; run the tuning script again";
  CHECK(message_of([&] { lines.finite("rho"); }) ==
        start + "'1e999' is not a finite number for rho" + end);
  CHECK(message_of([&] { lines.number<unsigned>("rho", 0, 9); }) ==
        start + "'-1' is not a number of the right kind for rho" + end);
  CHECK(message_of([&] { lines.number("rho", 0, 9); }) ==
        start + "rho is 12, but must be within 0 and 9" + end);
  CHECK(message_of([&] { lines.finite("rho"); }) ==
        start + "'nan' is not a finite number for rho" + end);
  CHECK(message_of([&] { lines.name("a name"); }) ==
        start + "'x%2' is a broken escape in a name" + end);
  CHECK(lines.word("a word") == "y");
  CHECK(message_of([&] { lines.word("a word"); }) == start + "a word is missing" + end);
  CHECK(message_of([&] { lines.next(); }) ==
        "'dir/model.txt' line 3: the file ends in the middle of a line: it is truncated" + end);
  line_reader empty("f", "");
  CHECK(message_of([&] { empty.require_line("'end'"); }) ==
        "'f' line 1: the file ends where 'end' should be: it is truncated" + end);
}

TEST_CASE("messages show no more of a file than they should") {
  const std::string shown = line_reader::shown(std::string(1000, '\x1b') + "abc");
  CHECK(shown == std::string(40, '?') + "...");
}
