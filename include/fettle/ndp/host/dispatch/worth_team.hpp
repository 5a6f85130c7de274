// worth_team: from how many elements on a computation is worth the start of a team.
//
// The default rule starts one at once from there on, and tuned schedules that take a team are for
// such inputs only. Of fewer elements the calling thread does all, or those that it does before a
// team would have woken.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/flattened/cut_rows.hpp>
#include <fettle/ndp/host/lanes/cheap.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Fewer elements than this are few. A thread reduces more by lanes in the time that a team takes
/// to wake, and fewer in rows, which are short and gather. Rows with a user's function in them that
/// cannot be flattened may be cheap or not: the calling thread begins and finds out.
inline constexpr index_t few_elements = 16384;
inline constexpr index_t few_by_lanes = 65536;
inline constexpr index_t few_in_rows = 8192;

/// From how many elements on a computation goes to a team at once.
template <typename E>
[[nodiscard]] consteval index_t grain() {
  if constexpr (scalar_reduce_node<E>) {
    using source = decltype(E::source);
    using op = decltype(E::op);
    return is_cheap_v<source> && lane_operation<op, typename E::value_type> ? few_by_lanes
                                                                            : few_elements;
  } else {
    if (!nested_node<E>) return few_elements;
    return is_cheap_v<E> || flattenable<E> ? few_in_rows : few_by_lanes;
  }
}

/// Whether the computation goes to a team at once. Fewer elements are the calling thread's: all of
/// them where they are cheap, else those that it does before a team would have woken.
template <typename E>
[[nodiscard]] bool is_worth_team(const E& e) {
  return elements_of(e) >= grain<E>();
}

}  // namespace fettle::ndp::host::detail
