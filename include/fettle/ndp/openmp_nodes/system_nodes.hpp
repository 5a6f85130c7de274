// system_nodes: the NUMA nodes of this machine, as the sets of CPUs that the program may use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp_nodes/node_team.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp_nodes::detail {

/// The CPUs that the calling thread may use.
[[nodiscard]] inline cpu_set usable_cpus() {
  cpu_set found;
#ifdef __linux__
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &usable)) found.push_back(cpu);
    }
  }
#endif
  const auto count = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (int cpu = 0; found.empty() && cpu < count; ++cpu) found.push_back(cpu);
  return found;
}

/// "0-3,8" as a set; what follows something else is left out.
[[nodiscard]] inline cpu_set parse_cpus(const std::string& text) {
  cpu_set found;
  const char* at = text.c_str();
  for (char* end = nullptr; *at >= '0' && *at <= '9'; at = end + (*end == ',' ? 1 : 0)) {
    const long first = std::strtol(at, &end, 10);
    long last = first;
    if (*end == '-') last = std::strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= last && last - first < 65536; ++cpu) {
      found.push_back(static_cast<int>(cpu));
    }
  }
  return found;
}

/// One set a node that has a CPU which the program may use; all of those in one set where the
/// system knows no nodes.
[[nodiscard]] inline std::vector<cpu_set> system_nodes() {
  const cpu_set usable = usable_cpus();
  std::vector<cpu_set> nodes;
  for (int node = 0; node < 1024; ++node) {
    const std::string path = "/sys/devices/system/node/node" + std::to_string(node) + "/cpulist";
    std::FILE* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) break;
    char text[4096] = "";
    if (std::fgets(text, sizeof text, file) == nullptr) text[0] = '\0';
    std::fclose(file);
    cpu_set its;
    for (const int cpu : parse_cpus(text)) {
      if (std::find(usable.begin(), usable.end(), cpu) != usable.end()) its.push_back(cpu);
    }
    if (!its.empty()) nodes.push_back(its);
  }
  if (nodes.empty()) nodes.push_back(usable);
  return nodes;
}

}  // namespace fettle::ndp::openmp_nodes::detail
