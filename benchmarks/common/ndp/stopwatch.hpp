// The CPU benchmarks' stopwatch.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include <fettle/measure/timer.hpp>

namespace ndp_cpu {

/// Seconds that n calls take. Before, one call that is not timed wakes the threads, but for calls
/// that take long anyway.
struct stopwatch {
  static constexpr double overhead_seconds = 0;

  double seconds(const std::function<void()>& run, int n) {
    const fettle::timer first;
    run();
    if (n == 1 && first.seconds() > 20e-3) return first.seconds();
    const fettle::timer timed;
    for (int i = 0; i < n; ++i) run();
    return timed.seconds();
  }

  /// GCC's OpenMP threads spin for up to 15 ms after their last work, those of oneTBB for less.
  void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }
};

}  // namespace ndp_cpu
