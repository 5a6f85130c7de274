// How much the tests of the nested data-parallel layer check: everything, or, with
// FETTLE_TEST_SIZES=small in the environment, one size of each kind. That is for tools under which
// a kernel takes many times as long: every kernel still runs with an empty input, with less
// than a block, and beyond the borders of warps, blocks, tiles and shares.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace ndp_test {

[[nodiscard]] inline bool small_sizes() {
  static const bool small = [] {
    const char* const wanted = std::getenv("FETTLE_TEST_SIZES");
    const std::string_view text = wanted == nullptr ? "all" : wanted;
    if (text != "all" && text != "small") {
      std::fprintf(stderr, "FETTLE_TEST_SIZES is '%s'; it has to be 'all' or 'small'\n", wanted);
      std::exit(2);
    }
    return text == "small";
  }();
  return small;
}

/// All of them, or the few that stand for them.
template <typename T>
[[nodiscard]] std::vector<T> sized(std::vector<T> all, std::vector<T> few) {
  return small_sizes() ? std::move(few) : std::move(all);
}
template <typename T>
[[nodiscard]] std::vector<T> sized(std::initializer_list<T> all, std::initializer_list<T> few) {
  return sized(std::vector<T>(all), std::vector<T>(few));
}
template <typename T>
[[nodiscard]] T sized(T all, T few) {
  return small_sizes() ? few : all;
}

/// Whether a test case that cannot be made small is left out, which it then says.
[[nodiscard]] inline bool too_large(const char* test_case) {
  if (small_sizes()) std::printf("left out, because sizes shall be small: %s\n", test_case);
  return small_sizes();
}

}  // namespace ndp_test
