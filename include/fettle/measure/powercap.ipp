// Definitions of powercap.hpp.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/powercap.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// A file of the powercap tree, without the end of its line; `problem` is 0 or an errno.
[[gnu::cold]] FETTLE_INLINE std::string powercap_text(const std::string& file, int& problem) {
  std::FILE* const opened = std::fopen(file.c_str(), "r");
  problem = opened == nullptr ? errno : 0;
  if (opened == nullptr) return {};
  char text[128] = {};
  if (std::fgets(text, sizeof text, opened) == nullptr) problem = EIO;
  std::fclose(opened);
  return std::string(text, std::strcspn(text, "\n"));
}

/// A counter's file in joules. Throws fettle::error, which says what to do.
[[gnu::cold]] FETTLE_INLINE double powercap_joules(const std::string& file) {
  int problem = 0;
  const std::string text = powercap_text(file, problem);
  if (problem == EACCES || problem == EPERM) {
    throw error("cannot read the energy counter '" + file +
                "': permission denied; it is root's alone: let an administrator make it readable "
                "(chmod a+r), or run as root");
  }
  char* end = nullptr;
  const unsigned long long microjoules = std::strtoull(text.c_str(), &end, 10);
  if (problem != 0 || end == text.c_str() || *end != '\0') {
    throw error("cannot read the energy counter '" + file +
                "': " + (problem != 0 ? std::strerror(problem) : "'" + text + "' is not a number") +
                "; this machine's energy cannot be measured so");
  }
  return static_cast<double>(microjoules) * 1e-6;
}

}  // namespace detail

[[gnu::cold]] FETTLE_INLINE powercap_sensor::powercap_sensor(const std::string& tree) {
  for (std::size_t number = 0;; ++number) {
    const std::string folder = tree + "/intel-rapl:" + std::to_string(number);
    int problem = 0;
    const std::string called = detail::powercap_text(folder + "/name", problem);
    if (problem != 0) break;
    if (!called.starts_with("package")) continue;  // psys counts the packages once more
    const std::string file = folder + "/energy_uj";
    packages_.push_back({file, detail::powercap_joules(folder + "/max_energy_range_uj"),
                         detail::powercap_joules(file), 0.0});
    name_ += (name_.empty() ? "powercap " : ", ") + called;
  }
  if (packages_.empty()) {
    throw error("there are no energy counters of processor packages in '" + tree +
                "' (intel-rapl:0); the kernel, a container or a virtual machine hides them");
  }
}

[[gnu::cold]] FETTLE_INLINE sensor_sample powercap_sensor::read() {
  sensor_sample found;
  found.joules = 0.0;
  for (package& one : packages_) {
    const double now = detail::powercap_joules(one.file);
    one.total += now < one.last ? now + one.range - one.last : now - one.last;
    one.last = now;
    found.joules += one.total;
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE double powercap_sensor::counter_range() const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace fettle
