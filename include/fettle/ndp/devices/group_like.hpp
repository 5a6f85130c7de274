// group_like: the devices that work on one computation, as the rules of this folder ask for them.
#pragma once

#include <concepts>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

struct no_part {
  template <typename Platform>
  void operator()(int /*part*/, const Platform& /*on*/) const {}
};
struct no_whole {
  template <typename Platform>
  void operator()(const Platform& /*on*/) const {}
};
/// size()           how many devices there are
/// in_parts(named, cuts, work)   work(part, platform) for each part that is not empty, on the
///                  device of its number, side by side; begins after all work before it
/// in_parts_by_values(named, cuts, work)   as in_parts, where work of all parts but the first reads
///                  values of room() that earlier work puts there
/// whole(named, work)            work(platform) on the first device
/// wait(named)      returns when all of it is done: memory of room() may be read
/// room<T>(count)   memory of the host that devices can write, overwritten by the next call
/// is_asynchronous  whether in_parts and whole may return before the work is done
template <typename G>
concept group_like = requires(G& group, const computation& named, const cuts& where) {
  typename G::inner_platform;
  { group.size() } -> std::same_as<int>;
  group.in_parts(named, where, no_part{});
  group.in_parts_by_values(named, where, no_part{});
  group.whole(named, no_whole{});
  group.wait(named);
  { group.template room<double>(named, 1) } -> std::same_as<double*>;
  { G::is_asynchronous } -> std::convertible_to<bool>;
};

/// A part by its device's default rule.
struct by_default_rule {
  template <typename Platform, typename E, typename D>
  void operator()(const Platform& on, const computation& named, const E& e,
                  const D& destination) const {
    platform_traits<Platform>::run_default(on, named, e, destination);
  }
};

/// A part by a given schedule and its device's policy.
template <typename Schedule, typename Policy>
struct by_hand {
  Policy policy;

  template <typename Platform, typename E, typename D>
  void operator()(const Platform& on, const computation& named, const E& e,
                  const D& destination) const {
    platform_traits<Platform>::run(on, named, e, destination, Schedule{}, policy);
  }
};

}  // namespace fettle::ndp::devices::detail
