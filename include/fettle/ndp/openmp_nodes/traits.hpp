// platform_traits of platform::openmp_nodes: how many nodes, and what each does, which is what
// <fettle/ndp/openmp.hpp> says.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/distribute.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/one_pass.hpp>
#include <fettle/ndp/devices/scaling.hpp>
#include <fettle/ndp/host/dispatch/training.hpp>
#include <fettle/ndp/openmp/dispatch/rules.hpp>
#include <fettle/ndp/openmp/policy/platform.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp_nodes/group.hpp>
#include <fettle/ndp/openmp_nodes/platform.hpp>
#include <fettle/ndp/openmp_nodes/policy/policy.hpp>
#include <fettle/ndp/openmp_nodes/system_nodes.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace openmp_nodes::detail {

/// Assumed, not measured: a node that reads 50 GB/s, and threads that wake in some microseconds.
/// The tuner measures; this only keeps small computations on one node.
inline constexpr devices::detail::scaling_rates node_rates{
    .bytes = 5e4, .link = 2e4, .call = 5, .part = 15, .step = 5, .wait = 30};

template <typename E, typename D>
[[nodiscard]] devices::detail::scaling_problem problem_of(const E& e, const D& destination) {
  return {.bytes = devices::detail::bytes_of(e, destination),
          .more = devices::detail::steps_of<E, D>(e)};
}

struct runner {
  template <typename E, typename D>
  [[nodiscard]] static int best_nodes(const platform::openmp_nodes& on, const E& e,
                                      const D& destination) {
    if (on.is_emulated()) return on.size();
    return devices::detail::best_count(node_rates, problem_of(e, destination), on.size());
  }

  /// Of two nodes and more `e` is divided; by default on as many as are estimated to be best.
  template <typename E, typename D>
  static void run_default(const platform::openmp_nodes& on, const computation& named, const E& e,
                          const D& destination) {
    node_group group(on.team(), best_nodes(on, e, destination));
    devices::detail::distribute(group, named, e, destination, devices::detail::by_default_rule{},
                                devices::partition_by::automatic);
  }

  template <typename E, typename D, schedule::schedule_like Schedule>
  static void run(const platform::openmp_nodes& on, const computation& named, const E& e,
                  const D& destination, Schedule /*schedule*/, const policy& p) {
    const int nodes = p.nodes > 0 ? p.nodes : best_nodes(on, e, destination);
    node_group group(on.team(), std::min(nodes, on.size()));
    devices::detail::distribute(group, named, e, destination,
                                devices::detail::by_hand<Schedule, openmp::policy>{p.each()},
                                p.partition);
  }

  /// As on one node, where the parts' values can be combined.
  template <typename M, typename R, typename Platform = platform::openmp>
  static constexpr bool takes_one_pass_v =
      platform_traits<Platform>::template takes_one_pass_v<M, R> &&
      devices::detail::divides_pass_v<M, R>;

  template <typename M, typename R, typename Kept, typename Total>
  static void run_one_pass(const platform::openmp_nodes& on, const computation& named,
                           const ndp::detail::one_pass<M, R>& e,
                           const ndp::detail::one_pass_destination<Kept, Total>& destination) {
    node_group group(on.team(), best_nodes(on, e.map, destination.kept));
    devices::detail::one_pass_into(group, named, e, destination);
  }

  template <scalar_reduce_node E, typename... ByHand>
  [[nodiscard]] static typename E::value_type value(const platform::openmp_nodes& on,
                                                    const computation& named, const E& e,
                                                    const ByHand&... by_hand) {
    if constexpr (!devices::detail::is_combinable_v<typename E::value_type>) {
      return first_value(named, e, by_hand...);
    } else {
      typename E::value_type value{};
      const sequence<typename E::value_type> destination(&value, 1);
      if constexpr (sizeof...(ByHand) == 0) {
        run_default(on, named, e, destination);
      } else {
        run(on, named, e, destination, by_hand...);
      }
      return value;
    }
  }

  /// The nodes, an estimate for each number of them, and the choice.
  template <typename E>
  [[nodiscard]] static std::string explain_default(const platform::openmp_nodes& on,
                                                   const computation& /*named*/, const E& e) {
    const int chosen = best_nodes(on, e, no_destination{});
    return std::to_string(on.size()) + (on.size() == 1 ? " node\n" : " nodes\n") +
           devices::detail::scaling_text(node_rates, problem_of(e, no_destination{}), on.size(),
                                         "node", "nodes") +
           "  chosen: " + std::to_string(chosen) + (chosen == 1 ? " node" : " nodes") +
           (on.is_emulated() ? ": all that are emulated" : "");
  }

 private:
  // Of types that are not copied byte by byte, on the calling thread's CPUs.
  template <typename E, typename Platform = platform::openmp>
  [[nodiscard]] static typename E::value_type first_value(const computation& named, const E& e) {
    return platform_traits<Platform>::value(Platform{}, named, e);
  }
  template <typename E, typename Schedule, typename Platform = platform::openmp>
  [[nodiscard]] static typename E::value_type first_value(const computation& named, const E& e,
                                                          Schedule its, const policy& p) {
    return platform_traits<Platform>::value(Platform{}, named, e, its, p.each());
  }
};

struct rules : openmp::detail::rules {
  using policy = openmp_nodes::policy;
  using default_policy = openmp_nodes::policy;

  [[nodiscard]] static constexpr std::string_view violation(const policy& p,
                                                            const schedule::nodes& nodes) noexcept {
    return openmp_nodes::violation(p, nodes);
  }
  [[nodiscard]] static constexpr bool is_restricted(const policy& p,
                                                    const schedule::nodes& nodes) noexcept {
    return openmp::detail::rules::is_restricted(p.each(), nodes);
  }
  static constexpr void global_parameters(parameter_list& out) {
    out.insert({"nodes"});
    out.insert({"partition"});
    openmp::detail::rules::global_parameters(out);
  }
  static void describe_limits(json_writer& out) {
    openmp::detail::rules::describe_limits(out);
    out.field("nodes", system_nodes().size());
  }
};

}  // namespace openmp_nodes::detail

template <>
struct platform_at<3> {
  using type = platform::openmp_nodes;
};

template <>
struct platform_traits<platform::openmp_nodes> : openmp_nodes::detail::rules,
                                                 openmp_nodes::detail::runner,
                                                 host::detail::training<platform::openmp_nodes> {};

}  // namespace fettle::ndp
