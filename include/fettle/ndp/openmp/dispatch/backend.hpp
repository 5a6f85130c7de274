// backend<platform::openmp>: how the processor realises a computation, by a given schedule and
// policy or by the default rule.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/dispatch/default_rule.hpp>
#include <fettle/ndp/openmp/dispatch/realise.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/backend.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/expression.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct backend<platform::openmp> {
  using default_policy = openmp::policy;

  /// `e` into `destination`, by hand. Throws what the computation's functions throw.
  template <typename E, typename D, schedule::schedule_like Schedule>
  static void run(const platform::openmp& /*on*/, const computation& /*which*/, const E& e,
                  const D& destination, Schedule /*schedule*/, const openmp::policy& policy) {
    const openmp::nesting_permit permit(policy.enable_nesting);
    openmp::realise<Schedule>(start(policy), e, destination);
  }

  /// ... by the default rule.
  template <typename E, typename D>
  static void run_default(const platform::openmp& /*on*/, const computation& /*which*/, const E& e,
                          const D& destination) {
    openmp::realise_by_default(e, destination);
  }

  /// The value of a reduction, by hand or by the default rule.
  template <scalar_reduce_node E, schedule::schedule_like Schedule>
  [[nodiscard]] static typename E::value_type value(const platform::openmp& /*on*/,
                                                    const computation& /*which*/, const E& e,
                                                    Schedule /*schedule*/,
                                                    const openmp::policy& policy) {
    return openmp::value_of<Schedule>(start(policy), e);
  }
  template <scalar_reduce_node E>
  [[nodiscard]] static typename E::value_type value(const platform::openmp& /*on*/,
                                                    const computation& /*which*/, const E& e) {
    return openmp::value_by_default(e);
  }

 private:
  [[nodiscard]] static openmp::context start(const openmp::policy& policy) noexcept {
    return {&policy, openmp::thread_count(policy.num_threads)};
  }
};

}  // namespace fettle::ndp
