// The energy of a piece of work: run again and again at steady clocks, while a sensor is looked at.
//
//   fettle::powercap_sensor sensor;                          // or fettle::nvml_sensor
//   const auto run = fettle::measure_energy(sensor, [&] { multiply(a, x, y); });
//   if (!run.energy) throw fettle::error(run.energy.refused);
//   return fettle::measured{run.seconds, run.joules};
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/measure/energy_sensor.hpp>
#include <fettle/measure/energy_window.hpp>
#include <fettle/measure/timer.hpp>

namespace fettle::inline FETTLE_ABI {

struct energy_options {
  double settle_s = 0.5;     ///< of runs before the window: clocks and sensors follow with a delay
  double window_s = 1.0;     ///< of runs in the window, at least
  double interval_s = 5e-3;  ///< between two looks at the sensor
};

/// What one run of a piece of work takes: the window's, over its runs.
struct run_energy {
  double seconds = std::numeric_limits<double>::quiet_NaN();
  double joules = std::numeric_limits<double>::quiet_NaN();  ///< not a number where refused
  std::size_t runs = 0;
  std::string sensor{};
  energy_reading energy{};  ///< of the whole window: method, resolution, why it was refused
};

namespace detail {

/// Seconds since its construction, by a clock that waits in real time.
struct real_clock {
  timer since{};
  double seconds() const noexcept { return since.seconds(); }
  static constexpr bool is_real = true;
};

/// Looks at a sensor in a thread while runs are longer than the interval between two looks.
template <energy_sensor Sensor, typename Clock>
class background_looks {
 public:
  background_looks(Sensor& sensor, const Clock& clock, energy_window& window, double interval_s)
      : thread_([&sensor, &clock, &window, interval_s, this] {
          try {
            while (!stopped_) {
              window.add(clock.seconds(), sensor.read());
              std::this_thread::sleep_for(duration{interval_s});
            }
          } catch (...) {
            problem_ = std::current_exception();
          }
        }) {}
  ~background_looks() { join(); }
  background_looks(const background_looks&) = delete;
  background_looks& operator=(const background_looks&) = delete;

  /// Ends the thread; throws what the sensor threw.
  void finish() {
    join();
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  using duration = std::chrono::duration<double>;

  void join() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }

  std::atomic<bool> stopped_{false};
  std::exception_ptr problem_;
  std::thread thread_;  // the last one: it uses the others
};

/// measure_energy() of a sensor and work that are ones.
template <energy_sensor Sensor, std::invocable Work, typename Clock>
run_energy energy_of_runs(Sensor& sensor, Work& work, const energy_options& options,
                          const Clock& clock) {
  run_energy found;
  found.sensor = sensor.name();
  const double begin = clock.seconds();
  std::size_t settling = 0;
  do {
    work();
    ++settling;
  } while (clock.seconds() - begin < options.settle_s);
  const double a_run = (clock.seconds() - begin) / static_cast<double>(settling);

  energy_window window(sensor.counter_range());
  const double first = clock.seconds();
  double now = first;
  const auto until_over = [&](const auto& look) {
    do {
      work();
      ++found.runs;
      now = clock.seconds();
      look();
    } while (now - first < options.window_s);
  };
  if (Clock::is_real && a_run > options.interval_s) {
    detail::background_looks<Sensor, Clock> looks(sensor, clock, window, options.interval_s);
    until_over([] {});
    looks.finish();
  } else {
    double next = first + options.interval_s;
    window.add(first, sensor.read());
    until_over([&] {
      if (now < next && now - first < options.window_s) return;
      window.add(now, sensor.read());
      next = std::max(next + options.interval_s, now);
    });
  }
  // The looks of the thread begin and end a little apart from the runs.
  found.energy = window.reading(0.95 * std::max(1.0, options.window_s));
  found.seconds = (now - first) / static_cast<double>(found.runs);
  found.joules = found.energy.watts * found.seconds;
  return found;
}

}  // namespace detail

/// Runs `work` for at least settle_s + window_s, looks at the sensor meanwhile, and says what a run
/// takes. Equivalent to: loop until settled; { loop until the window is over: work(), look }.
/// Throws what `work` and the sensor throw. `clock` is for tests.
template <typename Sensor, typename Work, typename Clock = detail::real_clock>
run_energy measure_energy(Sensor& sensor, Work&& work, const energy_options& options = {},
                          const Clock& clock = {}) {
  constexpr bool senses = energy_sensor<Sensor>;
  constexpr bool runs = std::invocable<std::remove_reference_t<Work>&>;
  static_assert(senses,
                "measure_energy takes a sensor with sensor_sample read(), name() and "
                "counter_range(), as fettle::powercap_sensor and fettle::nvml_sensor have them.");
  static_assert(runs,
                "measure_energy runs a callable without arguments: give it a lambda that calls "
                "your function.");
  if constexpr (senses && runs) {
    return detail::energy_of_runs(sensor, work, options, clock);
  } else {
    return {};
  }
}

}  // namespace fettle
