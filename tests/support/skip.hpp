// What a test program that has nothing to test on this machine ends with: a line that says why, and
// the status by which ctest says "Skipped". Catch2 2.13 cannot skip, so a program says it before
// main():
//
//   [[maybe_unused]] const bool skipped = test::skip_program("needs ...");
//
// A program of which one test case cannot run says so with `test::left_out` and runs the others.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace test {

/// Ends the program as skipped; returns nothing, and has a type for namespace scope's sake.
[[noreturn]] inline bool skip_program(const char* why) {
  std::printf("skipped: %s\n", why);
  std::exit(77);
}

/// Says that a test case, or a part of it, was not run.
inline void left_out(const char* what) { std::printf("left out: %s\n", what); }

}  // namespace test
