// rates: what the default rule assumes of GPUs and their links.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/cuda_devices/staging.cuh>
#include <fettle/ndp/devices/placement.hpp>
#include <fettle/ndp/devices/scaling.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/sequence/operands.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// Bytes a microsecond in one direction, by NVIDIA's data sheets: NVLink of V100, A100 and H100,
/// else PCI Express 4.
[[nodiscard]] inline double link_bytes_per_us(const platform::cuda_devices& on) {
  int possible = 0;
  if (on.size() > 1 && on[0] != on[1] &&
      (cudaDeviceCanAccessPeer(&possible, on[0], on[1]) != cudaSuccess || possible == 0)) {
    cudaGetLastError();
    return 25e3;
  }
  int major = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on[0]) != cudaSuccess) {
    cudaGetLastError();
  }
  return major >= 9 ? 450e3 : major == 8 ? 300e3 : major == 7 ? 150e3 : 25e3;
}

[[nodiscard]] inline devices::detail::scaling_rates rates_of(const computation& named,
                                                             const platform::cuda_devices& on) {
  const on_device current(on[0]);
  current.require(named);
  const cuda::detail::device_rates its = cuda::detail::current_device_facts(named).rates;
  return {.bytes = its.bytes,
          .link = link_bytes_per_us(on),
          .call = its.launch,
          .part = 5,
          .step = 5,
          .wait = 12};
}

/// visit(sequence, order) for each that `s` is made of.
template <typename S, typename Visit>
void for_each_read(const S& s, const Visit& visit, devices::detail::read_order order) {
  if constexpr (devices::detail::is_gathered_v<S>) {
    for_each_leaf(s.source,
                  [&](const auto& leaf) { visit(leaf, devices::detail::read_order::any); });
    for_each_read(s.indices, visit, order);
  } else if constexpr (ndp::detail::is_contiguous_v<S>) {
    visit(s, order);
  } else if constexpr (ndp::detail::is_tuple_v<S> || sequence_like<S> || operation<S>) {
    for_each_operand(s, [&](const auto& operand) { for_each_read(operand, visit, order); });
  }
}

/// Which of the listed devices have equal pieces of a sequence. Memory that a device cannot reach
/// belongs to none.
template <typename T>
[[nodiscard]] std::vector<int> owners_of(const platform::cuda_devices& on, const sequence<T>& s) {
  const index_t pieces = std::min<index_t>(s.size(), index_t{2} * on.size());
  std::vector<int> owners;
  for (index_t k = 0; k < pieces; ++k) {
    const location its = location_of(on[0], s.data() + (2 * k + 1) * s.size() / (2 * pieces));
    const auto found = std::find(on.list().begin(), on.list().end(), its.device);
    owners.push_back(its.is_reachable && found != on.list().end()
                         ? static_cast<int>(found - on.list().begin())
                         : devices::detail::no_device);
  }
  return owners;
}

/// All of `e` and its destination.
template <typename E, typename D>
[[nodiscard]] devices::detail::scaling_problem problem_of(const platform::cuda_devices& on,
                                                          const E& e, const D& destination) {
  devices::detail::scaling_problem problem{.bytes = devices::detail::bytes_of(e, destination),
                                           .more = devices::detail::steps_of<E, D>(e)};
  if (on.is_emulated() || on.size() < 2) return problem;
  devices::detail::link_traffic traffic(on.size());
  const auto add = [&](const auto& leaf, devices::detail::read_order order) {
    if (leaf.size() == 0) return;
    const double bytes =
        static_cast<double>(leaf.size()) * static_cast<double>(sizeof(*leaf.data()));
    traffic.add(bytes, owners_of(on, leaf), order);
  };
  for_each_read(e, add, devices::detail::read_order::by_parts);
  if constexpr (!std::is_same_v<D, no_destination>) {
    for_each_read(destination, add, devices::detail::read_order::by_parts);
  }
  for (int n = 1; n <= on.size(); ++n) problem.linked.push_back(traffic.busiest(n));
  return problem;
}

/// How many devices are estimated to be best, and whether the first one reaches all memory: then it
/// computes alone as platform::cuda does.
struct division {
  int devices = 0;
  bool first_reaches_all = false;
};

/// Visits all that `e` and its destination are made of.
template <typename E, typename D, typename Visit>
void for_each_memory(const E& e, const D& destination, const Visit& visit) {
  for_each_leaf(e, visit);
  if constexpr (!std::is_same_v<D, no_destination>) for_each_leaf(destination, visit);
}

/// A thread's last answer for a type of computation, by where its sequences lie and how long they
/// are: an estimate takes as long as a launch.
template <typename E, typename D>
class known_division {
 public:
  known_division(const platform::cuda_devices& on, const E& e, const D& destination)
      : asked_(arrays_freed().load(std::memory_order_relaxed) + (on.is_emulated() ? 2U : 1U)) {
    for (const int device : on.list()) mix(static_cast<std::uint64_t>(device));
    for_each_memory(e, destination, [&](const auto& leaf) {
      mix(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(leaf.data())));
      mix(static_cast<std::uint64_t>(leaf.size()));
    });
  }

  [[nodiscard]] bool is_known() const { return last().devices > 0 && last_asked() == asked_; }
  [[nodiscard]] division get() const { return last(); }
  void forget() const { last().devices = 0; }
  void set(const division& its) const {
    last_asked() = asked_;
    last() = its;
  }

 private:
  void mix(std::uint64_t bits) {
    asked_ = (asked_ ^ bits) * 0x9E3779B97F4A7C15U;
    asked_ ^= asked_ >> 29U;
  }
  static std::uint64_t& last_asked() {
    thread_local std::uint64_t asked = 0;
    return asked;
  }
  static division& last() {
    thread_local division its;
    return its;
  }

  std::uint64_t asked_;
};

/// Whether the first device reaches all memory, and no unlisted device's is among it.
template <typename E, typename D>
[[nodiscard]] bool first_reaches_all(const platform::cuda_devices& on, const E& e,
                                     const D& destination) {
  const on_device current(on[0]);
  bool reaches = true;
  for_each_memory(e, destination, [&](const auto& leaf) {
    if (leaf.size() == 0) return;
    const location its = location_of(on[0], leaf.data());
    const bool is_listed =
        std::find(on.list().begin(), on.list().end(), its.device) != on.list().end();
    reaches = reaches && its.is_reachable && (is_listed || its.device == location::host);
  });
  return reaches;
}

/// Emulated devices are all used. The list has been checked.
template <typename E, typename D>
[[nodiscard]] division best_division(const platform::cuda_devices& on, const computation& named,
                                     const E& e, const D& destination) {
  const known_division<E, D> known(on, e, destination);
  if (known.is_known()) return known.get();
  division found{on.size(), first_reaches_all(on, e, destination)};
  if (!on.is_emulated() && on.size() > 1) {
    found.devices =
        devices::detail::best_count(rates_of(named, on), problem_of(on, e, destination), on.size());
  }
  known.set(found);
  return found;
}

template <typename E, typename D>
[[nodiscard]] int best_devices(const platform::cuda_devices& on, const computation& named,
                               const E& e, const D& destination) {
  return best_division(on, named, e, destination).devices;
}

}  // namespace fettle::ndp::cuda_devices::detail
