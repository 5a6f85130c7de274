// The meter of time, energy and power: any energy sensor behind one type, in a window of steady
// runs.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/energy.hpp>
#include <fettle/measure/meter.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// A sensor whose failures are kept instead of thrown: what is lost says neither energy nor power.
class watched_sensor {
 public:
  watched_sensor(std::string name, double range, std::function<sensor_sample()> read)
      : name_(std::move(name)), range_(range), read_(std::move(read)) {}

  sensor_sample read() {
    try {
      if (problem_.empty()) return read_();
    } catch (const error& why) {
      problem_ = why.what();
    }
    return {};
  }
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] double counter_range() const { return range_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  std::string name_;
  double range_;
  std::function<sensor_sample()> read_;
  std::string problem_;
};

}  // namespace detail

/// Joules, mean watts and largest watts of a run, by one sensor: nvml_sensor, powercap_sensor,
/// pmt_sensor or your own (energy_sensor.hpp).
class energy_meter final : public meter {
 public:
  /// Keeps the sensor.
  template <energy_sensor Sensor>
  explicit energy_meter(std::shared_ptr<Sensor> sensor, energy_options options = {})
      : sensor_(sensor->name(), sensor->counter_range(), [sensor] { return sensor->read(); }),
        options_(options) {}

  /// A meter whose sensor could not be made: all that it says is why.
  explicit energy_meter(std::string refused)
      : sensor_("none", std::numeric_limits<double>::infinity(), {}),
        missing_(std::move(refused)) {}

  [[nodiscard]] std::vector<metric_name> metrics() const override {
    return {{"joules", "J"}, {"watts", "W"}, {"max_watts", "W"}};
  }

  std::vector<meter_reading> measure(const std::function<void()>& work) override {
    meter_reading joules;
    if (!missing_.empty()) {
      joules.refused = missing_;
      return {joules, joules, joules};
    }
    const run_energy run = measure_energy(sensor_, work, options_);
    joules.value = run.joules;
    joules.sensor = run.sensor;
    joules.method = run.energy.method;
    joules.window_s = run.energy.window_s;
    const auto runs = static_cast<double>(run.runs);
    joules.resolution = run.energy.resolution_j / runs;
    joules.note = run.energy.note;
    joules.refused = sensor_.problem().empty() ? run.energy.refused : sensor_.problem();
    meter_reading watts = joules;
    watts.value = run.energy.watts;
    watts.resolution = run.energy.resolution_j / run.energy.window_s;
    meter_reading most = watts;
    most.value = run.energy.max_watts;
    most.method = "largest of " + number_text(run.energy.looks) + " looks at the power";
    if (most.refused.empty() && !is_finite(most.value)) {
      most.refused = run.sensor + " does not say its power, so that its largest is not known";
    }
    for (meter_reading* const one : {&joules, &watts, &most}) {
      if (!one->refused.empty()) one->value = std::numeric_limits<double>::quiet_NaN();
    }
    return {joules, watts, most};
  }

 private:
  detail::watched_sensor sensor_;
  energy_options options_;
  std::string missing_;
};

}  // namespace fettle
