// The device features of the machine that a program runs on, found once and kept in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/machine/feature.hpp>

namespace fettle::inline FETTLE_ABI {

/// What the file of this machine says. `own` are features of the user's, which no measurement
/// finds.
struct known_machine {
  std::string processor;         ///< its name and how many cores
  std::string driver;            ///< of the GPU; empty without one
  std::int64_t measured_at = 0;  ///< seconds since 1970
  device_features features;
  device_features own;
};

/// Where the features are kept: $FETTLE_MACHINE, or fettle/machine.txt in $XDG_CACHE_HOME or
/// ~/.cache. Empty where none of these is set.
std::string machine_file();

/// The text of a machine file (docs/formats.md, section 9).
std::string machine_text(const known_machine& machine);

/// What a machine file says. Throws fettle::error for a text that is none, or is damaged.
known_machine read_machine_text(const std::string& file, std::string_view text);

/// This machine's value of each of `names`. From the file, unless it is of another machine or
/// driver, older than 90 days or damaged, or lacks a name: then they are asked for and, where one
/// of them has to be, measured in about 3 seconds, and the file is written where it can be.
/// Throws fettle::error for a name that this machine has no value of.
std::vector<double> features_of_this_machine(const std::vector<std::string>& names);

namespace detail {

/// "AMD EPYC 7763, 64 cores", as the tuner files measurements under.
std::string processor_and_cores();

/// The version of the GPU's driver, as the kernel says it; empty where there is none.
std::string driver_version();

/// Whether a file's features hold for this machine at a time.
bool holds_here(const known_machine& machine, std::int64_t now);

/// Writes a machine file, with its folder. Another process reads the whole old file or the whole
/// new one. Silent where it cannot be written.
void keep_machine(const std::string& file, const known_machine& machine);

/// The value of a feature; the user's own ones count first.
std::optional<double> value_of(const known_machine& machine, std::string_view name);

/// Features that are asked for, and those that are measured where `needed` has one of them.
known_machine describe_this_machine(const std::vector<std::string>& needed, std::int64_t now);

}  // namespace detail

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/machine/known_machine.ipp>
#endif
