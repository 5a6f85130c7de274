// The frame of an example's main(): arguments, time, comparison with the serial loop, one line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/measure/timer.hpp>

#include "platform.hpp"

namespace examples {

/// What ctest takes for "skipped".
inline constexpr int skipped = 77;

/// The command line: whole numbers by position, each with a name, a default and a range.
class arguments {
 public:
  arguments(int count, char** values) : values_(values + 1, values + count) {}

  /// The next argument as a number from `least` to `most`; `otherwise` where there is none.
  [[nodiscard]] ndp::index_t number(const std::string& name, ndp::index_t otherwise,
                                    ndp::index_t least, ndp::index_t most) {
    if (next_ == values_.size()) return otherwise;
    const std::string text = values_[next_++];
    ndp::index_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < least ||
        value > most) {
      throw fettle::error(name + " is a number from " + std::to_string(least) + " to " +
                          std::to_string(most) + ", not '" + text + "'");
    }
    return value;
  }

  /// The next argument as it is.
  [[nodiscard]] std::string text(const std::string& otherwise) {
    return next_ == values_.size() ? otherwise : values_[next_++];
  }

  /// Throws where an argument is left over.
  void end() const {
    if (next_ < values_.size()) throw fettle::error("unexpected argument '" + values_[next_] + "'");
  }

 private:
  std::vector<std::string> values_;
  std::size_t next_ = 0;
};

/// Median seconds of `calls` calls, each until the platform is done, after one that is not counted.
template <typename Platform, typename Call>
[[nodiscard]] double seconds_of(const Platform& on, Call&& call, int calls = 5) {
  call();
  wait(on);
  std::vector<double> seconds;
  for (int i = 0; i < calls; ++i) {
    const fettle::timer timer;
    call();
    wait(on);
    seconds.push_back(timer.seconds());
  }
  std::nth_element(seconds.begin(), seconds.begin() + calls / 2, seconds.end());
  return seconds[static_cast<std::size_t>(calls / 2)];
}

/// Throws, naming the first index at which two results differ by more than `tolerance` times the
/// larger magnitude (or 1, if that is more).
inline void require_same(const std::string& what, const std::vector<double>& result,
                         const std::vector<double>& expected, double tolerance = 1e-10) {
  if (result.size() != expected.size()) {
    throw fettle::error(what + ": " + std::to_string(result.size()) + " elements instead of " +
                        std::to_string(expected.size()));
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double scale = std::max({1.0, std::abs(result[i]), std::abs(expected[i])});
    // Written so that a NaN fails.
    if (!(std::abs(result[i] - expected[i]) <= tolerance * scale)) {
      throw fettle::error(what + ": element " + std::to_string(i) + " is " +
                          std::to_string(result[i]) + ", the serial loop says " +
                          std::to_string(expected[i]));
    }
  }
}

inline bool platform_is_there(const ndp::platform::openmp& /*on*/) { return true; }
#ifdef __CUDACC__
inline bool platform_is_there(const ndp::platform::cuda& /*on*/) {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}
#endif

/// Runs the body of an example's main function. Returns the program's exit status: 0; 1 with a
/// message where it throws; 77 where the program is for a GPU and there is none.
template <typename Body>
int run_program(const char* name, int count, char** values, Body&& body) {
  using on = platform_type;
  try {
    if (!platform_is_there(on{})) {
      std::printf("%s: skipped, needs a GPU\n", name);
      return skipped;
    }
    arguments given(count, values);
    body(on{}, given);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", name, problem.what());
    return 1;
  }
}

/// "reduction on openmp: 1000000 numbers: 0.123 ms, equal to the serial loop's"
inline void report(const char* name, const std::string& what, double seconds,
                   const char* verdict = "equal to the serial loop's") {
  const std::string platform(platform_type::name);
  std::printf("%s on %s: %s: %.4g ms, %s\n", name, platform.c_str(), what.c_str(), seconds * 1e3,
              verdict);
}

}  // namespace examples
