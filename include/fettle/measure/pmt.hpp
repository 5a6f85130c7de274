// The Power Measurement Toolkit's sensors (https://git.astron.nl/RD/pmt) as energy sensors. Its
// header is not included: give what pmt::Create() returns.
//
//   fettle::pmt_sensor sensor(pmt::Create("rocm"), "PMT rocm");
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/energy_sensor.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// A pointer to a sensor of the toolkit: Read() gives a state, and two states joules and seconds.
template <typename Pointer>
concept pmt_pointer = requires(Pointer& sensor) {
  { sensor->joules(sensor->Read(), sensor->Read()) } -> std::convertible_to<double>;
  { sensor->seconds(sensor->Read(), sensor->Read()) } -> std::convertible_to<double>;
};

}  // namespace detail

/// The joules since it was made, and the power since the last look.
template <detail::pmt_pointer Pointer>
class pmt_sensor {
  using state = decltype(std::declval<Pointer&>()->Read());

 public:
  pmt_sensor(Pointer sensor, std::string name)
      : sensor_(std::move(sensor)),
        name_(std::move(name)),
        first_(sensor_->Read()),
        last_(first_) {}

  sensor_sample read() {
    const state now = sensor_->Read();
    sensor_sample found;
    found.joules = sensor_->joules(first_, now);
    const double seconds = sensor_->seconds(last_, now);
    if (seconds > 0.0) found.watts = sensor_->joules(last_, now) / seconds;
    last_ = now;
    return found;
  }
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] double counter_range() const { return std::numeric_limits<double>::infinity(); }

 private:
  Pointer sensor_;
  std::string name_;
  state first_;
  state last_;
};

}  // namespace fettle
