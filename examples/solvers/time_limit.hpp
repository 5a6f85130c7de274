// How long a solver may try: what makes the measuring of solvers that hardly converge end.
#pragma once

#include <algorithm>
#include <limits>

#include <fettle/measure/timer.hpp>

namespace solvers {

/// A solver gives up after half a second, and after ten times what the fastest solver so far has
/// taken on the same system, but not within its first 20 ms. A system has one; a solve starts it.
class time_limit {
 public:
  void start() {
    clock_ = fettle::timer();
    limit_ = std::min(longest, std::max(shortest, 10 * fastest_));
  }
  bool is_over() const { return clock_.seconds() > limit_; }
  /// That a solver has taken so long and has converged.
  void solved_in(double seconds) { fastest_ = std::min(fastest_, seconds); }

 private:
  static constexpr double shortest = 0.02;
  static constexpr double longest = 0.5;
  fettle::timer clock_;
  double limit_ = longest;
  double fastest_ = std::numeric_limits<double>::infinity();
};

}  // namespace solvers
