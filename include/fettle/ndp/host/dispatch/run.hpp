// runner: a computation on threads of the host, by a given schedule and policy or by the default
// rule. Throws what the computation's functions throw.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/default_rule.hpp>
#include <fettle/ndp/host/dispatch/explain.hpp>
#include <fettle/ndp/host/dispatch/joined_parts.hpp>
#include <fettle/ndp/host/dispatch/one_pass.hpp>
#include <fettle/ndp/host/dispatch/realise.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/row_program.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/node.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename Platform, team_like Team>
struct runner {
  using policy_type = typename Team::policy_type;

  template <typename E>
  [[nodiscard]] static std::string explain_default(const computation& /*named*/, const E& e) {
    return detail::explain_default<Team>(e);
  }

  template <typename E, typename D, schedule::schedule_like Schedule>
  static void run(const Platform& /*on*/, const computation& /*named*/, const E& e,
                  const D& destination, Schedule /*schedule*/, const policy_type& policy) {
    Team::within(policy, [&] {
      realise<row_program_schedule_t<Schedule, E>>(
          Team(policy), on_host<!in_order_v<inner_of_t<Schedule>>>(e), destination);
    });
  }
  template <typename E, typename D>
  static void run_default(const Platform& /*on*/, const computation& /*named*/, const E& e,
                          const D& destination) {
    realise_by_default<Team>(on_host<true>(e), destination);
  }

  /// A map of values and a reduction of them. Rows, which may be skewed, are divided otherwise.
  template <typename M, typename R>
  static constexpr bool takes_one_pass_v =
      !nested_node<M> && !ndp::detail::has_epilogue_v<M> && team_reducible<R>;

  template <typename M, typename R, typename Kept, typename Total>
  static void run_one_pass(const Platform& /*on*/, const computation& /*named*/,
                           const ndp::detail::one_pass<M, R>& e,
                           const ndp::detail::one_pass_destination<Kept, Total>& destination) {
    one_pass_by_default<Team>(e, destination);
  }

  template <scalar_reduce_node E, schedule::schedule_like Schedule>
  [[nodiscard]] static typename E::value_type value(const Platform& /*on*/,
                                                    const computation& /*named*/, const E& e,
                                                    Schedule /*schedule*/,
                                                    const policy_type& policy) {
    return Team::within(policy, [&] { return value_of<Schedule>(Team(policy), e); });
  }
  template <scalar_reduce_node E>
  [[nodiscard]] static typename E::value_type value(const Platform& /*on*/,
                                                    const computation& /*named*/, const E& e) {
    return value_by_default<Team>(e);
  }

  template <typename Op, typename Part>
  [[nodiscard]] static auto joined(const Platform& /*on*/, index_t count, const Op& op,
                                   const Part& part) {
    return joined_parts<Team>(count, op, part);
  }
};

}  // namespace fettle::ndp::host::detail
