// What machine and compiler a measurement comes from: recorded with every training run, so that
// measurements of different machines are never mixed.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>

namespace fettle::inline FETTLE_ABI {

/// Facts that the operating system tells about the machine. Sizes in bytes; 0 or empty: not known.
struct machine_description {
  std::string processor;  ///< the processor's name as it gives it, e.g. "AMD EPYC 7763"
  long cores = 0;         ///< logical processors that are online
  long cache_line = 0;
  long level1_cache = 0;
  long level2_cache = 0;
  long level3_cache = 0;
  long memory = 0;
  std::string compiler;  ///< of this program, e.g. "gcc 12.2.0"
};

namespace detail {

inline std::string processor_name() {
  std::FILE* file = std::fopen("/proc/cpuinfo", "r");
  if (file == nullptr) return {};
  char line[512];
  std::string name;
  while (name.empty() && std::fgets(line, sizeof line, file) != nullptr) {
    const std::string_view text(line);
    if (!text.starts_with("model name")) continue;
    const std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos) continue;
    name = text.substr(colon + 2, text.find('\n') - colon - 2);
  }
  std::fclose(file);
  return name;
}

inline std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return {};
#endif
}

/// sysconf() with "not known" as 0.
inline long system_value(int name) {
  const long value = sysconf(name);
  return value > 0 ? value : 0;
}

}  // namespace detail

/// Asks the operating system; tens of microseconds.
inline machine_description describe_machine() {
  machine_description machine;
  machine.processor = detail::processor_name();
  machine.cores = detail::system_value(_SC_NPROCESSORS_ONLN);
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  machine.cache_line = detail::system_value(_SC_LEVEL1_DCACHE_LINESIZE);
  machine.level1_cache = detail::system_value(_SC_LEVEL1_DCACHE_SIZE);
  machine.level2_cache = detail::system_value(_SC_LEVEL2_CACHE_SIZE);
  machine.level3_cache = detail::system_value(_SC_LEVEL3_CACHE_SIZE);
#endif
  machine.memory = detail::system_value(_SC_PHYS_PAGES) * detail::system_value(_SC_PAGE_SIZE);
  machine.compiler = detail::compiler_name();
  return machine;
}

/// Appends the description as one JSON object.
inline void write_json(json_writer& json, const machine_description& machine) {
  json.begin_object()
      .field("processor", machine.processor)
      .field("cores", machine.cores)
      .field("cache_line", machine.cache_line)
      .field("level1_cache", machine.level1_cache)
      .field("level2_cache", machine.level2_cache)
      .field("level3_cache", machine.level3_cache)
      .field("memory", machine.memory)
      .field("compiler", machine.compiler)
      .end_object();
}

}  // namespace fettle
