// What machine and compiler a measurement comes from: recorded with every training run, so that
// measurements of different machines are never mixed.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>

namespace fettle::inline FETTLE_ABI {

/// Facts that the operating system tells about the machine. Sizes in bytes; 0 or empty: not known.
struct machine_description {
  std::string processor;  ///< the processor's name as it gives it, e.g. "AMD EPYC 7763"
  long cores = 0;         ///< logical processors that the program may use
  long cache_line = 0;
  long level1_cache = 0;
  long level2_cache = 0;
  long level3_cache = 0;
  long memory = 0;
  std::string compiler;  ///< of this program, e.g. "gcc 12.2.0"
};

namespace detail {

std::string processor_name();

std::string compiler_name();

/// sysconf() with "not known" as 0.
long system_value(int name);

/// The logical processors that the program may use, as taskset, a batch system or a container says;
/// all that are online where an OpenMP library binds threads, the first one included.
long usable_cores();

}  // namespace detail

/// Asks the operating system; tens of microseconds.
machine_description describe_machine();

/// Appends the description as one JSON object.
void write_json(json_writer& json, const machine_description& machine);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/machine/description.ipp>
#endif
