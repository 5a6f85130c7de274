// Definitions of memory_meter.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <malloc.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/memory_meter.hpp>
#include <fettle/measure/timer.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// Bytes that a line of a process's status says, "VmHWM:   1234 kB"; not a number without one.
[[gnu::cold]] FETTLE_INLINE double status_bytes(const std::string& process, const char* what) {
  double bytes = std::numeric_limits<double>::quiet_NaN();
  std::FILE* const file = std::fopen((process + "/status").c_str(), "r");
  if (file == nullptr) return bytes;
  char line[256];
  unsigned long kilobytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, what, std::strlen(what)) != 0) continue;
    if (std::sscanf(line + std::strlen(what), ": %lu", &kilobytes) == 1) {
      bytes = 1024.0 * static_cast<double>(kilobytes);
    }
    break;
  }
  std::fclose(file);
  return bytes;
}

/// Makes the largest resident size the present one.
[[gnu::cold]] FETTLE_INLINE bool forget_largest(const std::string& process) {
  std::FILE* const file = std::fopen((process + "/clear_refs").c_str(), "w");
  if (file == nullptr) return false;
  const bool written = std::fputs("5", file) >= 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace detail

[[gnu::cold]] FETTLE_INLINE std::vector<meter_reading> memory_meter::measure(
    const std::function<void()>& work) {
  meter_reading found;
  found.sensor = "Linux, VmHWM of " + process_ + "/status";
  found.method = "largest resident size during a run less that before";
  found.resolution = 4096.0;
  // Once in vain: what looking needs is resident from then on.
  static_cast<void>(detail::forget_largest(process_));
  static_cast<void>(detail::status_bytes(process_, "VmHWM"));
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  const double before = detail::status_bytes(process_, "VmRSS");
  const bool forgot = detail::forget_largest(process_);
  const timer clock;
  work();
  found.window_s = clock.seconds();
  const double most = detail::status_bytes(process_, "VmHWM");
  if (!forgot) {
    found.refused = "the kernel does not let the largest resident size be forgotten (" + process_ +
                    "/clear_refs), so that a run's is not known";
  } else if (!is_finite(before) || !is_finite(most)) {
    found.refused = process_ + "/status does not say the resident size";
  } else {
    found.value = std::max(0.0, most - before);
  }
  return {found};
}

[[gnu::cold]] FETTLE_INLINE device_memory_meter::device_memory_meter(unsigned device,
                                                                     const std::string& library) {
  try {
    nvml_ = std::make_unique<detail::nvml_library>(library);
    name_ = detail::find_nvml_device(*nvml_, device, device_);
  } catch (const error& why) {
    problem_ = why.what();
  }
}

[[gnu::cold]] FETTLE_INLINE double device_memory_meter::used() {
  struct {
    unsigned long long total, free, used;
  } memory{};
  using asked = int (*)(void*, void*);
  const auto function = nvml_->optional<asked>("nvmlDeviceGetMemoryInfo");
  if (function == nullptr || function(device_, &memory) != 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return static_cast<double>(memory.used);
}

[[gnu::cold]] FETTLE_INLINE std::vector<meter_reading> device_memory_meter::measure(
    const std::function<void()>& work) {
  meter_reading found;
  found.sensor = name_;
  found.method = "largest of looks at the memory given out less that before";
  found.resolution = 1.0;
  if (!problem_.empty()) {
    found.refused = problem_;
    return {found};
  }
  const double before = used();
  std::atomic<bool> over{false};
  double most = before;
  std::thread looks([&] {
    do {
      most = std::max(most, used());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!over);
  });
  const timer clock;
  try {
    work();
  } catch (...) {
    over = true;
    looks.join();
    throw;
  }
  found.window_s = clock.seconds();
  over = true;
  looks.join();
  most = std::max(most, used());
  if (is_finite(before) && is_finite(most)) {
    found.value = most - before;
  } else {
    found.refused = name_ + " does not say how much of its memory is given out";
  }
  return {found};
}

}  // namespace fettle
