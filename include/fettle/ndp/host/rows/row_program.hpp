// row_program: the team of a row program on a processor is one thread, with its vector lanes. The
// row stays in the thread's cache while the function reads it again.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// One thread, by its lanes where elements may be combined in another order.
template <bool ByLanes>
struct row_thread {
  template <typename Op, typename S, typename P>
  [[nodiscard]] static constexpr auto reduce(const Op& op, const S& source, const P& seed) {
    using schedule = std::conditional_t<ByLanes, schedule::cooperative<>, schedule::sequential<>>;
    using namespace ndp::detail;
    return value_in_thread<schedule>(reduced<Op, without_teams_t<S>, P>{op, unbound(source), seed},
                                     {});
  }
};

/// `e` itself, or where it is the map of a row program, the one for a thread of the host.
template <bool ByLanes, typename E>
[[nodiscard]] constexpr decltype(auto) on_host(const E& e) {
  if constexpr (ndp::detail::is_map_of_programs_v<E>) {
    return ndp::detail::with_team<row_thread<ByLanes>>(e);
  } else {
    return (e);
  }
}

/// What a schedule of map > row program says of the map whose elements are the programs' results:
/// rows of elements, for which the inner level says how they are assigned, or values.
template <typename Schedule, typename E>
struct row_program_schedule {
  using type = Schedule;
};
template <template <typename> typename Outer, typename Inner, typename E>
  requires(ndp::detail::is_map_of_programs_v<E> &&
           schedule::kind_v<Inner> == schedule::kind::cooperative)
struct row_program_schedule<Outer<Inner>, E> {
  using type = Outer<std::conditional_t<nested_node<E>, schedule::independent<>, schedule::none>>;
};
template <typename Schedule, typename E>
using row_program_schedule_t = typename row_program_schedule<Schedule, E>::type;

}  // namespace fettle::ndp::host::detail
