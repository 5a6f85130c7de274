// platform::openmp_nodes: the NUMA nodes of a machine, OpenMP on each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/openmp_nodes/node_team.hpp>
#include <fettle/ndp/openmp_nodes/system_nodes.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::platform {

/// Copies share their threads, of which each is bound to the CPUs of one node.
class openmp_nodes {
 public:
  static constexpr std::string_view name = "openmp_nodes";
  static constexpr bool runs_on_host = true;

  /// All nodes that the program may use.
  openmp_nodes() : openmp_nodes(ndp::openmp_nodes::detail::system_nodes()) {}

  /// Given sets of CPUs: openmp_nodes{{0, 1, 2, 3}, {4, 5, 6, 7}}. Throws where one is empty, and
  /// where a CPU is in two of them.
  openmp_nodes(std::initializer_list<ndp::openmp_nodes::detail::cpu_set> nodes)
      : openmp_nodes(std::vector<ndp::openmp_nodes::detail::cpu_set>(nodes)) {}
  explicit openmp_nodes(std::vector<ndp::openmp_nodes::detail::cpu_set> nodes)
      : openmp_nodes(std::move(nodes), false) {}

  /// `count` sets of about equally many of the CPUs that the program may use, which share CPUs
  /// where there are fewer: what runs on several nodes, tried on one. All of them are used unless a
  /// policy says otherwise.
  [[nodiscard]] static openmp_nodes emulated(int count) {
    const ndp::openmp_nodes::detail::cpu_set usable = ndp::openmp_nodes::detail::usable_cpus();
    std::vector<ndp::openmp_nodes::detail::cpu_set> nodes(
        static_cast<std::size_t>(std::clamp(count, 0, ndp::devices::most_devices + 1)));
    for (std::size_t i = 0; i < std::max(nodes.size(), usable.size()) && !nodes.empty(); ++i) {
      nodes[i % nodes.size()].push_back(usable[i % usable.size()]);
    }
    return {std::move(nodes), true};
  }

  [[nodiscard]] int size() const noexcept { return team_->size(); }
  [[nodiscard]] bool is_emulated() const noexcept { return is_emulated_; }
  [[nodiscard]] ndp::openmp_nodes::detail::node_team& team() const noexcept { return *team_; }

 private:
  openmp_nodes(std::vector<ndp::openmp_nodes::detail::cpu_set> nodes, bool is_emulated)
      : is_emulated_(is_emulated) {
    const auto count = static_cast<int>(nodes.size());
    if (count < 1 || count > ndp::devices::most_devices) {
      throw error("platform::openmp_nodes: " + std::to_string(count) + " nodes; give from 1 to " +
                  std::to_string(ndp::devices::most_devices));
    }
    ndp::openmp_nodes::detail::cpu_set seen;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].empty()) {
        throw error("platform::openmp_nodes: node " + std::to_string(node) +
                    " has no CPU; leave it out, or name its CPUs");
      }
      for (const int cpu : nodes[node]) {
        if (!is_emulated && std::find(seen.begin(), seen.end(), cpu) != seen.end()) {
          throw error("platform::openmp_nodes: CPU " + std::to_string(cpu) +
                      " is listed twice, the second time in node " + std::to_string(node) +
                      "; openmp_nodes::emulated(n) makes nodes that share CPUs");
        }
        seen.push_back(cpu);
      }
    }
    team_ = std::make_shared<ndp::openmp_nodes::detail::node_team>(std::move(nodes));
  }

  std::shared_ptr<ndp::openmp_nodes::detail::node_team> team_;
  bool is_emulated_ = false;
};

}  // namespace fettle::ndp::platform
