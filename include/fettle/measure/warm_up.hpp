// Warming up before a measurement: how many runs of a variant are not counted. The first run in
// a process finds cold caches, page tables, branch predictors and a slow clock, so a fixed number
// of runs would favour those that come later. Pure bookkeeping: nothing here reads a clock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// How long a variant is warmed up; the same for all that are compared.
struct warm_up_options {
  std::size_t minimum_runs = 1;
  std::size_t maximum_runs = 30;
  std::size_t steady_runs = 2;  ///< so many runs in a row have to be steady:
  double steady = 0.05;         ///< no faster than the fastest before them by this fraction
  double budget_s = 10e-3;      ///< longer runs are warm after the minimum: the start is a small
                                ///< part of them
};

/// The runs of one variant before its first sample, as
///
///     do warm_up.tell(seconds_of(run())); while (warm_up.wants_more());
class warm_up {
 public:
  explicit warm_up(warm_up_options options = {}) : options_(options) {}

  /// Adds a run.
  void tell(double seconds) noexcept {
    const bool is_steady = seconds >= (1.0 - options_.steady) * fastest_;
    in_a_row_ = is_steady ? in_a_row_ + 1 : 0;
    fastest_ = std::min(fastest_, seconds);
    spent_s_ += seconds;
    ++runs_;
  }

  bool wants_more() const noexcept {
    if (runs_ < options_.minimum_runs) return true;
    return runs_ < options_.maximum_runs && in_a_row_ < options_.steady_runs &&
           spent_s_ < options_.budget_s;
  }

  /// Seconds; infinite before the first run.
  double fastest() const noexcept { return fastest_; }

 private:
  warm_up_options options_;
  std::size_t runs_ = 0;
  std::size_t in_a_row_ = 0;
  double fastest_ = std::numeric_limits<double>::infinity();
  double spent_s_ = 0.0;
};

}  // namespace fettle
