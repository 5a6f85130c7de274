// runner: a computation over several GPUs, by a given schedule and policy or by the default rule.
#pragma once

#include <exception>
#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/group.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/cuda_devices/policy/policy.hpp>
#include <fettle/ndp/cuda_devices/program_memory.cuh>
#include <fettle/ndp/cuda_devices/rates.cuh>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/distribute.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/one_pass.hpp>
#include <fettle/ndp/devices/scaling.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/node.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// The computations of a program, one after the other.
struct start_in_order {
  template <typename Run>
  void operator()(const platform::cuda_devices& on, const computation& /*named*/, const Run& run) {
    run(on);
  }
};

struct runner {
  using program_memory = detail::program_memory;
  using program_start = start_in_order;

  template <typename E, typename D>
  static void run_default(const platform::cuda_devices& on, const computation& named, const E& e,
                          const D& destination) {
    run_by(on, named, e, destination, devices::detail::by_default_rule{}, 0,
           devices::partition_by::automatic);
  }

  template <typename E, typename D, schedule::schedule_like Schedule, typename Policy>
  static void run(const platform::cuda_devices& on, const computation& named, const E& e,
                  const D& destination, Schedule /*schedule*/, Policy /*policy*/) {
    static_assert(constant_policy<Policy>,
                  "execute: platform::cuda_devices takes its policy as a constant, because it "
                  "shapes the kernels: constant<cuda_devices::policy{...}>{}");
    if constexpr (constant_policy<Policy>) {
      constexpr cuda_devices::policy p = Policy::value;
      run_by(on, named, e, destination, devices::detail::by_hand<Schedule, constant<p.each()>>{},
             p.devices, p.partition);
    }
  }

  /// As on one device, where the parts' values can be combined.
  template <typename M, typename R>
  static constexpr bool takes_one_pass_v =
      platform_traits<platform::cuda>::takes_one_pass_v<M, R> &&
      devices::detail::divides_pass_v<M, R>;

  template <typename M>
  [[nodiscard]] static bool prefers_one_pass(const M& map) {
    return platform_traits<platform::cuda>::prefers_one_pass(map);
  }

  template <typename M, typename R, typename Kept, typename Total>
  static void run_one_pass(const platform::cuda_devices& on, const computation& named,
                           const ndp::detail::one_pass<M, R>& e,
                           const ndp::detail::one_pass_destination<Kept, Total>& destination) {
    device_group group(named, on);
    if constexpr (ndp::detail::has_epilogue_v<M>) {
      group.use(best_devices(on, named, ndp::detail::reductions_of(e.map),
                             ndp::detail::through_epilogue(e.map, destination.kept)));
    } else {
      group.use(best_devices(on, named, e.map, destination.kept));
    }
    devices::detail::one_pass_into(group, named, e, destination);
  }

  /// Waits for it.
  template <scalar_reduce_node E, typename... ByHand>
  [[nodiscard]] static typename E::value_type value(const platform::cuda_devices& on,
                                                    const computation& named, const E& e,
                                                    const ByHand&... by_hand) {
    if constexpr (sizeof...(ByHand) == 0) {
      return value_by(on, named, e, devices::detail::by_default_rule{}, 0,
                      devices::partition_by::automatic);
    } else {
      return value_by_hand(on, named, e, by_hand...);
    }
  }

  /// The devices, an estimate for each number of them, and the choice.
  template <typename E>
  [[nodiscard]] static std::string explain_default(const platform::cuda_devices& on,
                                                   const computation& named, const E& e) {
    require_list(named, on);
    std::string text = std::to_string(on.size()) + (on.size() == 1 ? " device\n" : " devices\n");
    for (int i = 0; i < on.size(); ++i) text += "  " + text_of_device(on[i]) + '\n';
    const int chosen = best_devices(on, named, e, no_destination{});
    return text +
           devices::detail::scaling_text(rates_of(named, on), problem_of(on, e, no_destination{}),
                                         on.size(), "device", "devices") +
           "  chosen: " + std::to_string(chosen) + (chosen == 1 ? " device" : " devices") +
           (on.is_emulated() ? ": all that are emulated" : "");
  }

 private:
  /// `wanted` devices; 0: as many as are estimated to be best.
  template <typename E, typename D, typename How>
  static void run_by(const platform::cuda_devices& on, const computation& named, const E& e,
                     const D& destination, const How& how, int wanted,
                     devices::partition_by partition) {
    const known_division<E, D> known(on, e, destination);
    if (known.is_known()) {  // the list and where memory lies were checked before
      const division its = known.get();
      if (its.first_reaches_all && (wanted > 0 ? wanted : its.devices) == 1) {
        try {
          run_on_first(on, named, e, destination, how);
          return;
        } catch (...) {
          // platform::cuda refuses memory at a known address that has become another device's.
          if (first_reaches_all(on, e, destination)) throw;
          known.forget();
        }
      }
    }
    device_group group(named, on);
    const int best = best_devices(on, named, e, destination);
    group.use(wanted > 0 ? wanted : best);
    devices::detail::distribute(group, named, e, destination, how, partition);
  }

  /// As platform::cuda on the first device, which costs no more.
  template <typename E, typename D, typename How>
  static void run_on_first(const platform::cuda_devices& on, const computation& named, const E& e,
                           const D& destination, const How& how) {
    const on_device current(on[0]);
    current.require(named);
    try {
      how(platform::cuda{on.stream}, named, e, destination);
    } catch (...) {
      rethrow_of_device(named, on[0], std::current_exception(), on.size() > 1);
    }
  }

  template <typename E, typename Schedule, typename Policy>
  [[nodiscard]] static typename E::value_type value_by_hand(const platform::cuda_devices& on,
                                                            const computation& named, const E& e,
                                                            Schedule /*schedule*/,
                                                            Policy /*policy*/) {
    constexpr cuda_devices::policy p = Policy::value;
    return value_by(on, named, e, devices::detail::by_hand<Schedule, constant<p.each()>>{},
                    p.devices, p.partition);
  }
  template <typename E, typename How>
  [[nodiscard]] static typename E::value_type value_by(const platform::cuda_devices& on,
                                                       const computation& named, const E& e,
                                                       const How& how, int wanted,
                                                       devices::partition_by partition) {
    using T = typename E::value_type;
    device_group group(named, on);
    group.use(wanted > 0 ? wanted : best_devices(on, named, e, no_destination{}));
    if (group.size() > 1 && e.source.size() > 0) {
      const devices::cuts where =
          devices::detail::cuts_of(group, named, e, group.size(), partition);
      return devices::detail::reduced_value(group, named, where, how, e);
    }
    T* const room = group.template room<T>(named, 1);
    group.whole(named, [&](const auto& at) { how(at, named, e, sequence<T>(room, 1)); });
    group.wait(named);
    return *room;
  }
};

}  // namespace fettle::ndp::cuda_devices::detail
