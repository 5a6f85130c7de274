// How a test file that has nothing to test on this machine is skipped: by a line that says why, and
// the exit status by which ctest says "Skipped". Catch2 2.13 cannot skip, so the file's only test
// case ends the program, which runs the cases of this file alone:
//
//   TEST_CASE("skipped: svm") { test::skip_program("needs ..."); }
//
// A test case that cannot run beside others of its file says so with `test::left_out`.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace test {

/// Ends the program as skipped. The type is for use at namespace scope, by programs of one file.
[[noreturn]] inline bool skip_program(const char* why) {
  std::printf("skipped: %s\n", why);
  std::exit(77);
}

/// Says that a test case, or a part of it, was not run.
inline void left_out(const char* what) { std::printf("left out: %s\n", what); }

}  // namespace test
