// What an energy sensor is: something that says at any time how much energy has been used, or what
// is drawn, or both. Readings alone; never an estimate.
#pragma once

#include <concepts>
#include <limits>
#include <string>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// One look at a sensor; what it does not say is not a number.
struct sensor_sample {
  double joules = std::numeric_limits<double>::quiet_NaN();  ///< of its counter, since whenever
  double watts = std::numeric_limits<double>::quiet_NaN();   ///< drawn at this moment
};

/// What measure_energy() needs. read() may throw fettle::error, as where a device is lost.
/// counter_range() is what the counter's joules begin anew at, infinite where they never do.
template <typename T>
concept energy_sensor = requires(T& sensor, const T& seen) {
  { sensor.read() } -> std::same_as<sensor_sample>;
  { seen.name() } -> std::convertible_to<std::string>;
  { seen.counter_range() } -> std::convertible_to<double>;
};

}  // namespace fettle
