// runner: a computation on the processor's cores, by a given schedule and policy or by the default
// rule.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/dispatch/default_rule.hpp>
#include <fettle/ndp/openmp/dispatch/realise.hpp>
#include <fettle/ndp/openmp/policy/platform.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

struct runner {
  /// `e` into `destination`, by hand. Throws what the computation's functions throw.
  template <typename E, typename D, schedule::schedule_like Schedule>
  static void run(const platform::openmp& /*on*/, const computation& /*named*/, const E& e,
                  const D& destination, Schedule /*schedule*/, const policy& p) {
    const nesting_permit permit(p.enable_nesting);
    realise<Schedule>(start(p), e, destination);
  }

  /// ... by the default rule.
  template <typename E, typename D>
  static void run_default(const platform::openmp& /*on*/, const computation& /*named*/, const E& e,
                          const D& destination) {
    realise_by_default(e, destination);
  }

  /// The value of a reduction, by hand or by the default rule.
  template <scalar_reduce_node E, schedule::schedule_like Schedule>
  [[nodiscard]] static typename E::value_type value(const platform::openmp& /*on*/,
                                                    const computation& /*named*/, const E& e,
                                                    Schedule /*schedule*/, const policy& p) {
    return value_of<Schedule>(start(p), e);
  }
  template <scalar_reduce_node E>
  [[nodiscard]] static typename E::value_type value(const platform::openmp& /*on*/,
                                                    const computation& /*named*/, const E& e) {
    return value_by_default(e);
  }

 private:
  [[nodiscard]] static context start(const policy& p) noexcept {
    return {&p, thread_count(p.num_threads)};
  }
};

}  // namespace fettle::ndp::openmp::detail
