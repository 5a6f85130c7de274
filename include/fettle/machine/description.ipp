// Definitions of description.hpp.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/machine/description.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string processor_name() {
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

[[gnu::cold]] FETTLE_INLINE std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return {};
#endif
}

[[gnu::cold]] FETTLE_INLINE long system_value(int name) {
  const long value = sysconf(name);
  return value > 0 ? value : 0;
}

[[gnu::cold]] FETTLE_INLINE long usable_cores() {
#ifdef __linux__
  bool is_bound_by_openmp = false;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
    is_bound_by_openmp |= std::getenv(name) != nullptr;
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (!is_bound_by_openmp && sched_getaffinity(getpid(), sizeof usable, &usable) == 0)
    return CPU_COUNT(&usable);
#endif
  return system_value(_SC_NPROCESSORS_ONLN);
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE machine_description describe_machine() {
  machine_description machine;
  machine.processor = detail::processor_name();
  machine.cores = detail::usable_cores();
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

[[gnu::cold]] FETTLE_INLINE void write_json(json_writer& json, const machine_description& machine) {
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
