// Definitions of energy_window.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/energy_window.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE void energy_window::add(double seconds, const sensor_sample& seen) {
  if (is_finite(seen.joules) && is_finite(raw_)) {
    double step = seen.joules - raw_;
    if (step < 0.0 && is_finite(range_)) step += range_;
    went_back_ = went_back_ || step < 0.0;
    total_ += step;
  }
  raw_ = seen.joules;
  const double joules = is_finite(seen.joules) ? total_ : std::numeric_limits<double>::quiet_NaN();
  looks_.push_back({seconds, joules, seen.watts});
}

// Joules by the counter, NaN where it does not tell.
[[gnu::cold]] FETTLE_INLINE double energy_window::by_counter(energy_reading& found) const {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (went_back_) return unknown;
  std::size_t first = 0;
  std::size_t last = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < looks_.size(); ++i) {
    const double step = looks_[i].joules - looks_[i - 1].joules;
    if (!is_finite(step)) return unknown;
    if (step <= 0.0) continue;
    if (first == 0) first = i;
    last = i;
    smallest = std::min(smallest, step);
  }
  if (last == first) return unknown;
  found.resolution_j = smallest;
  const double watts =
      (looks_[last].joules - looks_[first].joules) / (looks_[last].seconds - looks_[first].seconds);
  return watts * found.window_s;
}

// Joules by the power, NaN where a look does not have it.
[[gnu::cold]] FETTLE_INLINE double energy_window::by_power(energy_reading& found) const {
  double joules = 0.0;
  double most = looks_.front().watts;
  double least = most;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < looks_.size(); ++i) {
    const look& now = looks_[i];
    const look& before = looks_[i - 1];
    joules += (now.seconds - before.seconds) * (now.watts + before.watts) / 2.0;
    most = std::max(most, now.watts);
    least = std::min(least, now.watts);
    const double step = std::fabs(now.watts - before.watts);
    if (step > 0.0) smallest = std::min(smallest, step);
  }
  if (!is_finite(joules)) return std::numeric_limits<double>::quiet_NaN();
  found.max_watts = most;
  found.resolution_j = is_finite(smallest) ? smallest * found.window_s : 0.0;
  return joules;
}

[[gnu::cold]] FETTLE_INLINE energy_reading energy_window::reading(double least_s) const {
  energy_reading found;
  found.looks = looks_.size();
  if (looks_.size() >= 2) found.window_s = looks_.back().seconds - looks_.front().seconds;
  if (found.window_s < least_s * (1.0 - 1e-9)) {
    found.refused = "the window of " + number_text(found.window_s) + " s is shorter than " +
                    number_text(least_s) + " s, which a power sensor does not see; repeat the run";
    return found;
  }
  const double power = by_power(found);
  const double resolution = found.resolution_j;
  const double counted = by_counter(found);
  if (is_finite(counted)) {
    found.method = "energy counter";
    found.joules = counted;
    if (is_finite(power) && std::fabs(power - counted) > 0.1 * counted) {
      found.note = "the power sensor says " + number_text(power) + " J";
    }
  } else if (is_finite(power) && power > 0.0) {
    found.method = "integral of power";
    found.joules = power;
    found.resolution_j = resolution;
    if (is_finite(raw_)) found.note = "the energy counter does not move";
    // A sensor with noise never repeats itself; one that does has stopped.
    if (looks_.size() >= 10 && resolution == 0.0) {
      found.refused =
          "neither the energy counter nor the power reading moves: the sensor is frozen";
    }
  } else {
    found.refused = is_finite(raw_) ? "the energy counter does not move, and no power is read"
                                    : "the sensor says neither energy nor power";
  }
  if (!found) found.joules = std::numeric_limits<double>::quiet_NaN();
  found.watts = found.joules / found.window_s;
  return found;
}

}  // namespace fettle
