// Wall-clock time in seconds, from the monotonic clock. Kept apart from <chrono>, which costs
// more compile time than all of fettle/variant.hpp is allowed.
#pragma once

#include <cstdint>
#include <time.h>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// Nanoseconds since an arbitrary start, never going back. Costs about 20 ns (no system call).
inline std::int64_t monotonic_nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Measures the wall-clock time since its construction or the last restart().
class timer {
 public:
  timer() noexcept : start_(monotonic_nanoseconds()) {}

  void restart() noexcept { start_ = monotonic_nanoseconds(); }

  /// Seconds since the start.
  double seconds() const noexcept {
    return static_cast<double>(monotonic_nanoseconds() - start_) * 1e-9;
  }

 private:
  std::int64_t start_;
};

}  // namespace fettle
