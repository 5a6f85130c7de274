// one_pass over devices: each computes its part of a map whose values are kept and of a reduction
// of them (shape/one_pass.hpp) in one pass; the first combines the parts' values, in their order.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/destination_part.hpp>
#include <fettle/ndp/devices/distribute.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/part_of.hpp>
#include <fettle/ndp/devices/reduce.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// Whether a pass can be divided: parts of the reduction begin with the operator's identity.
template <typename M, typename R>
inline constexpr bool divides_pass_v =
    is_divisible<R, no_destination>() && has_identity_v<decltype(R::op), typename R::value_type>;

template <typename Group, typename M>
[[nodiscard]] cuts cuts_of_pass(Group& group, const computation& named, const M& map) {
  if constexpr (ndp::detail::has_epilogue_v<M>) {
    return cuts_of_pass(group, named, ndp::detail::reductions_of(map));
  } else {
    return cuts_of(group, named, map, group.size(), partition_by::automatic);
  }
}

/// A pass by its device's default rule.
template <typename Platform, typename M, typename R, typename Kept, typename Total>
void run_pass(const Platform& on, const computation& named, const M& map, const R& reduction,
              const Kept& kept, const Total& total) {
  platform_traits<Platform>::run_one_pass(
      on, named, ndp::detail::one_pass<M, R>{map, reduction},
      ndp::detail::one_pass_destination<Kept, Total>{kept, total});
}

/// Both computations of `e` over all devices of the group.
template <group_like Group, typename M, typename R, typename Kept, typename Total>
void one_pass_into(Group& group, const computation& named, const ndp::detail::one_pass<M, R>& e,
                   const ndp::detail::one_pass_destination<Kept, Total>& destination) {
  using T = typename R::value_type;
  if (group.size() == 1 || e.map.size() == 0) {
    group.whole(named, [&](const auto& on) {
      run_pass(on, named, e.map, e.reduction, destination.kept, destination.total);
    });
    return;
  }
  const cuts where = cuts_of_pass(group, named, e.map);
  T* const room = group.template room<T>(named, where.parts);
  const int count = reduce_parts_by<T>(
      group, named, where, e.reduction.op, e.reduction.source, room,
      [&](int p, const auto& on, const auto& reduction, const auto& total) {
        run_pass(on, named, part_of_computation(e.map, where.begin(p), where.size(p)), reduction,
                 destination_part(e.map, destination.kept, where.begin(p), where.size(p)), total);
      });
  combine_parts(group, named, e.reduction.op, e.reduction.seed, room, count, destination.total);
}

}  // namespace fettle::ndp::devices::detail
