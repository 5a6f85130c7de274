// Time by events of a device's stream: what a `clock` of a policy is, whichever the device.
// <fettle/measure/event_clock.cuh> is the one of CUDA.
#pragma once

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI {

/// What event_clock_on asks of a device; all functions are static.
template <typename Device>
concept event_device = requires(typename Device::status status, typename Device::event& event,
                                const typename Device::event& recorded,
                                typename Device::stream stream, double& seconds) {
  { Device::succeeded(status) } -> std::same_as<bool>;
  { Device::text(status) } -> std::convertible_to<std::string>;
  /// Whether no later call can succeed; forgets the error where one can.
  { Device::is_lost() } -> std::same_as<bool>;
  { Device::make(event) } -> std::same_as<typename Device::status>;
  { Device::record(recorded, stream) } -> std::same_as<typename Device::status>;
  /// Waits for `to`.
  { Device::between(recorded, recorded, seconds) } -> std::same_as<typename Device::status>;
  { Device::empty_cache(stream) } -> std::same_as<typename Device::status>;
};

/// Throws fettle::error where a call has failed. An error that no later call recovers from ends the
/// program: the tuner starts it again and names the variant that ran.
template <event_device Device>
void check_device(typename Device::status status, const char* what) {
  if (Device::succeeded(status)) return;
  const std::string problem = std::string(what) + ": " + Device::text(status);
  if (Device::is_lost()) {
    std::fprintf(stderr, "fettle: %s; the device cannot be used any more\n", problem.c_str());
    std::abort();
  }
  throw error(problem);
}

/// Seconds between two events in a stream: of all that is put into it in between, and not of the
/// launches alone. The L2 cache is as the run before has left it (warm), or emptied before each run
/// where the environment says FETTLE_L2=cold.
template <event_device Device>
class event_clock_on {
 public:
  using stream = typename Device::stream;

  event_clock_on() {
    if (is_cold()) check_device<Device>(Device::empty_cache(current()), "emptying the cache");
    check_device<Device>(Device::record(events().begin, current()), "recording an event");
  }

  /// Waits for what the stream holds. Throws fettle::error where some of it has failed.
  double seconds() const {
    check_device<Device>(Device::record(events().end, current()), "recording an event");
    double passed = 0;
    check_device<Device>(Device::between(events().begin, events().end, passed), "a variant");
    return passed;
  }

  /// From now on, events of this thread go into `wanted`; the default stream before.
  static void use(stream wanted) { current() = wanted; }

  /// Whether the cache is emptied before each run, so that each has to be timed by itself.
  static bool is_cold() {
    static const bool cold = [] {
      const char* const state = std::getenv("FETTLE_L2");
      return state != nullptr && std::string_view(state) == "cold";
    }();
    return cold;
  }

 private:
  struct two_events {
    two_events() {
      check_device<Device>(Device::make(begin), "making an event");
      check_device<Device>(Device::make(end), "making an event");
    }
    typename Device::event begin{};
    typename Device::event end{};
  };
  // Of the thread; what the driver keeps of them ends with the process.
  static const two_events& events() {
    thread_local const two_events made;
    return made;
  }
  static stream& current() {
    thread_local stream wanted{};
    return wanted;
  }
};

}  // namespace fettle
