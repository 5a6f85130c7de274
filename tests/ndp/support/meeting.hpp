// A meeting of two threads: by it a test makes sure that work is shared, however late the second
// thread is; how long something takes tells nothing on a busy machine.
#pragma once

#include <atomic>
#include <thread>

#include <fettle/measure/timer.hpp>

#include "support/openmp_threads.hpp"

namespace ndp_test {

/// Threads attend; the first one waits for another. Where none comes for `patience` seconds, no
/// thread waits any longer, and the meeting was not held.
class meeting {
 public:
  static constexpr double patience = 60.0;

  /// The calling thread comes, and goes on when another one has come as well. Its number.
  int attend() {
    const int me = test::this_thread();
    (me == 0 ? first_ : another_) = true;
    const fettle::timer clock;
    while (!held() && !off_) {
      if (clock.seconds() > patience) off_ = true;
      std::this_thread::yield();
    }
    return me;
  }
  /// Whether the main thread and another one have come.
  [[nodiscard]] bool held() const { return first_ && another_; }

 private:
  std::atomic<bool> first_{false};
  std::atomic<bool> another_{false};
  std::atomic<bool> off_{false};
};

}  // namespace ndp_test
