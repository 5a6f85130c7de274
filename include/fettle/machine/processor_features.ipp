// Definitions of processor_features.hpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/machine/processor_features.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The number that a file of the system begins with; -1 where there is none.
[[gnu::cold]] FETTLE_INLINE double number_in_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return -1;
  double value = -1;
  if (std::fscanf(file, "%lf", &value) != 1) value = -1;
  std::fclose(file);
  return value;
}

/// The highest clock of the first core in GHz, else its present one; 0: not known.
[[gnu::cold]] FETTLE_INLINE double clock_ghz() {
  const double kilohertz = number_in_file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (kilohertz > 0) return kilohertz * 1e-6;
  std::FILE* file = std::fopen("/proc/cpuinfo", "r");
  if (file == nullptr) return 0;
  char line[512];
  double megahertz = 0;
  while (megahertz <= 0 && std::fgets(line, sizeof line, file) != nullptr) {
    std::sscanf(line, "cpu MHz : %lf", &megahertz);
  }
  std::fclose(file);
  return megahertz * 1e-3;
}

[[gnu::cold]] FETTLE_INLINE long sockets(long cores) {
  std::set<double> packages;
  for (long core = 0; core < cores; ++core) {
    const double package = number_in_file("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                                          "/topology/physical_package_id");
    if (package >= 0) packages.insert(package);
  }
  return packages.empty() ? 1 : static_cast<long>(packages.size());
}

/// The width of the widest vector registers.
[[gnu::cold]] FETTLE_INLINE long vector_bits() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 512;
  if (__builtin_cpu_supports("avx2")) return 256;
#endif
  return 128;
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE device_features processor_features() {
  const machine_description machine = describe_machine();
  return {
      {"cores", static_cast<double>(machine.cores)},
      {"sockets", static_cast<double>(detail::sockets(machine.cores))},
      {"simd_width_bits", static_cast<double>(detail::vector_bits())},
      {"clock_ghz", detail::clock_ghz()},
      {"level1_cache_kib", static_cast<double>(machine.level1_cache) / 1024},
      {"level2_cache_kib", static_cast<double>(machine.level2_cache) / 1024},
      {"last_cache_mib", static_cast<double>(machine.level3_cache) / (1024 * 1024)},
      {"memory_gib", static_cast<double>(machine.memory) / (1024. * 1024 * 1024)},
  };
}

}  // namespace fettle
