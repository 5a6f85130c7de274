// Meters: what Fettle runs around a variant to learn more of it than its time. Each says beside its
// figure how it came about, or why there is none.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// What a meter says of one run, and how it knows.
struct meter_reading {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< of one run
  std::string sensor{};
  std::string method{};
  double window_s = 0.0;    ///< that was looked at
  double resolution = 0.0;  ///< the smallest step of the value that could be seen
  std::string note{};       ///< what may be wrong with it
  std::string refused{};    ///< why the sensor cannot tell; then the value is not a number
};

/// A name and a unit.
using metric_name = std::pair<std::string, std::string>;

/// Runs work as often as it has to, and says what one run takes.
class meter {
 public:
  meter() = default;
  meter(const meter&) = delete;
  meter& operator=(const meter&) = delete;
  virtual ~meter() = default;

  /// The metrics that measure() gives, in order: the same at every call.
  [[nodiscard]] virtual std::vector<metric_name> metrics() const = 0;
  /// Runs the work once at least. Throws what the work throws; a sensor that fails is `refused`.
  virtual std::vector<meter_reading> measure(const std::function<void()>& work) = 0;
};

/// A meter made of any callable that counts something: its value after a run less that before, as
/// of calls, bytes or page faults. Equivalent to: before = count(); work(); count() - before.
template <std::invocable Count>
  requires std::convertible_to<std::invoke_result_t<Count&>, double>
class counting_meter final : public meter {
 public:
  counting_meter(std::string name, std::string unit, Count count)
      : name_(std::move(name), std::move(unit)), count_(std::move(count)) {}

  [[nodiscard]] std::vector<metric_name> metrics() const override { return {name_}; }
  std::vector<meter_reading> measure(const std::function<void()>& work) override {
    const auto before = static_cast<double>(count_());
    work();
    meter_reading found;
    found.value = static_cast<double>(count_()) - before;
    found.sensor = "the program's own";
    found.method = "count after a run less that before";
    return {found};
  }

 private:
  metric_name name_;
  Count count_;
};

}  // namespace fettle
