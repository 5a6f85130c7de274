// The CPU benchmarks' stopwatch.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include <fettle/measure/timer.hpp>

namespace ndp_cpu {

/// Seconds that n calls take. Before, the threads of whoever ran last get time to fall asleep, and
/// one call that is not timed wakes those of this contender, but for calls that take long anyway.
struct stopwatch {
  static constexpr double overhead_seconds = 3e-3;

  double seconds(const std::function<void()>& run, int n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const fettle::timer first;
    run();
    if (n == 1 && first.seconds() > 20e-3) return first.seconds();
    const fettle::timer timed;
    for (int i = 0; i < n; ++i) run();
    return timed.seconds();
  }
};

}  // namespace ndp_cpu
