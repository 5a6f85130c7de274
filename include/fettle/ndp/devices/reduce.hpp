// reduce and scan over devices: each reduces its part; the host, or the first device, combines the
// partial values in the parts' order, so that operators need not commute.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/optional_value.hpp>
#include <fettle/ndp/devices/part_of.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// What the parts of a reduction yield: values where the operator's identity is known, else
/// optional values, because no part but the first may begin with the seed.
template <typename Op, typename T>
using partial_t = std::conditional_t<has_identity_v<Op, T>, T, optional_value<T>>;

/// The reduction of a part of `source`, without a seed.
template <typename T, typename Op, typename S>
[[nodiscard]] constexpr auto partial_reduction(const Op& op, const S& source) {
  if constexpr (has_identity_v<Op, T>) {
    return reduced<Op, S, T>{op, source, identity_v<Op, T>};
  } else {
    using lifted = transformed_sequence<to_optional<T>, S>;
    return reduced<combine_optional<Op, T>, lifted, optional_value<T>>{
        {op}, lifted{{}, tuple_of<S>(source)}, optional_value<T>{}};
  }
}

/// value op partial
template <typename Op, typename T>
[[nodiscard]] constexpr T with_partial(const Op& op, const T& value, const T& partial) {
  return static_cast<T>(op(value, partial));
}
template <typename Op, typename T>
[[nodiscard]] constexpr T with_partial(const Op& op, const T& value,
                                       const optional_value<T>& partial) {
  return partial.exists ? static_cast<T>(op(value, partial.value)) : value;
}

/// Puts the reduction of each part into the group's room, by run(p, on, reduction, destination);
/// the k-th part that is not empty into element k. Returns how many there are.
template <typename T, typename Group, typename Run, typename Op, typename S>
int reduce_parts_by(Group& group, const computation& named, const cuts& where, const Op& op,
                    const S& source, partial_t<Op, T>* room, const Run& run) {
  std::array<int, most_devices> element{};
  int count = 0;
  for (int p = 0; p < where.parts; ++p) {
    element[static_cast<std::size_t>(p)] = count;
    if (where.size(p) > 0) ++count;
  }
  group.in_parts(named, where, [&](int p, const auto& on) {
    run(p, on, partial_reduction<T>(op, part_of(source, where.begin(p), where.size(p))),
        sequence<partial_t<Op, T>>(room + element[static_cast<std::size_t>(p)], 1));
  });
  return count;
}

/// ... by `how`.
template <typename T, typename Group, typename How, typename Op, typename S>
int reduce_parts(Group& group, const computation& named, const cuts& where, const How& how,
                 const Op& op, const S& source, partial_t<Op, T>* room) {
  return reduce_parts_by<T>(group, named, where, op, source, room,
                            [&](int /*p*/, const auto& on, const auto& part, const auto& to) {
                              how(on, named, part, to);
                            });
}

/// What the first device makes of the seed and `count` parts' values in the group's room.
template <typename Group, typename Op, typename T, typename P, typename D>
void combine_parts(Group& group, const computation& named, const Op& op, const P& seed,
                   const T* room, int count, const D& destination) {
  const sequence<const T> partial(room, count);
  group.whole(named, [&](const auto& on) {
    by_default_rule{}(on, named, reduced<Op, sequence<const T>, P>{op, partial, seed}, destination);
  });
}

/// The value of a reduction; waits for it.
template <group_like Group, typename How, typename Op, typename S, typename P>
[[nodiscard]] auto reduced_value(Group& group, const computation& named, const cuts& where,
                                 const How& how, const reduced<Op, S, P>& e) {
  using T = typename reduced<Op, S, P>::value_type;
  auto* const room = group.template room<partial_t<Op, T>>(named, where.parts);
  const int count = reduce_parts<T>(group, named, where, how, e.op, e.source, room);
  group.wait(named);
  auto value = static_cast<T>(e.seed);
  for (int k = 0; k < count; ++k) value = with_partial(e.op, value, room[k]);
  return value;
}

/// ... into a destination. Does not wait where the devices can combine the parts' values.
template <group_like Group, typename How, typename Op, typename S, typename P, typename D>
void reduce_into(Group& group, const computation& named, const cuts& where, const How& how,
                 const reduced<Op, S, P>& e, const D& destination) {
  using T = typename reduced<Op, S, P>::value_type;
  if constexpr (Group::is_asynchronous && has_identity_v<Op, T>) {
    T* const room = group.template room<T>(named, where.parts);
    const int count = reduce_parts<T>(group, named, where, how, e.op, e.source, room);
    combine_parts(group, named, e.op, e.seed, room, count, destination);
  } else {
    using one = constant_sequence<T>;
    const one value{reduced_value(group, named, where, how, e), 1};
    group.whole(named, [&](const auto& on) {
      by_default_rule{}(on, named, transformed_sequence<identity, one>{{}, tuple_of<one>(value)},
                        destination);
    });
  }
}

/// Reduces all parts but the last, and scans each part, seeded with what comes before it: all but
/// the first one's seeds are waited for. Elements are read twice and written once, so that n
/// devices are at most n / (1 + r) times as fast as one, where a reduction takes r of a scan's
/// time.
template <group_like Group, typename How, typename Op, typename S, typename P, typename Tag,
          typename D>
void scan_into(Group& group, const computation& named, const cuts& where, const How& how,
               const scanned_sequence<Op, S, P, Tag>& e, const D& destination) {
  using T = typename scanned_sequence<Op, S, P, Tag>::value_type;
  int last = where.parts - 1;
  while (last > 0 && where.size(last) == 0) --last;
  cuts before_last = where;
  before_last.parts = last;
  auto* const room = group.template room<partial_t<Op, T>>(named, where.parts);
  reduce_parts<T>(group, named, before_last, by_default_rule{}, e.op, e.source, room);
  group.in_parts_by_values(named, where, [&](int p, const auto& on) {
    auto seed = static_cast<T>(e.seed);
    int k = 0;
    for (int q = 0; q < p; ++q) {
      if (before_last.size(q) > 0) seed = with_partial(e.op, seed, room[k++]);
    }
    const auto source = part_of(e.source, where.begin(p), where.size(p));
    using part = std::remove_const_t<decltype(source)>;
    how(on, named, scanned_sequence<Op, part, T, Tag>{e.op, source, seed},
        part_of(destination, where.begin(p), where.size(p)));
  });
}

}  // namespace fettle::ndp::devices::detail
