// From looks at a sensor to the energy of a window of time: by the counter, where it moves, else by
// the integral of the power; or why neither can tell.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/energy_sensor.hpp>

namespace fettle::inline FETTLE_ABI {

/// The energy of a window, and how it came about. Without `refused` all but `max_watts` are known.
struct energy_reading {
  double joules = std::numeric_limits<double>::quiet_NaN();
  double watts = std::numeric_limits<double>::quiet_NaN();      ///< mean
  double max_watts = std::numeric_limits<double>::quiet_NaN();  ///< of the looks; needs power
  double window_s = 0.0;
  double resolution_j = 0.0;  ///< the smallest step that was seen of what `joules` is made of
  std::size_t looks = 0;
  std::string method{};   ///< "energy counter" or "integral of power"
  std::string note{};     ///< what may be wrong with it: counter and power contradict each other
  std::string refused{};  ///< why the sensor cannot tell; empty: it can

  explicit operator bool() const noexcept { return refused.empty(); }
};

/// Looks at a sensor over a window of steady work.
///
/// The counter's joules are divided by the time between two of its steps, so that how coarse the
/// steps are hardly matters; it may begin anew (`counter_range`) once between two looks. A counter
/// that does not move is not believed: the power is integrated by trapezoids.
class energy_window {
 public:
  explicit energy_window(double counter_range = std::numeric_limits<double>::infinity())
      : range_(counter_range) {}

  /// A look at `seconds`, which grows from look to look.
  void add(double seconds, const sensor_sample& seen);

  /// What the looks say; refused where the window is shorter than `least_s`.
  energy_reading reading(double least_s = 1.0) const;

 private:
  struct look {
    double seconds;
    double joules;  ///< since the first look
    double watts;
  };

  double by_counter(energy_reading& found) const;
  double by_power(energy_reading& found) const;

  double range_;
  double raw_ = std::numeric_limits<double>::quiet_NaN();
  double total_ = 0.0;
  bool went_back_ = false;
  std::vector<look> looks_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/energy_window.ipp>
#endif
