// reduce_by_key over devices. Runs may be cut anywhere:
//
//   1. each device counts the runs that begin in its part of the keys, and finds the first one
//   2. it reduces those runs to where they belong in the destination. What comes before the first
//      of them is the rest of a run that began in another part: where it is short, the device that
//      has the run reads it, too; else it is reduced to a value
//   3. the first device combines those values with the runs that they go on with
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/group_like.hpp>
#include <fettle/ndp/devices/key_changes.hpp>
#include <fettle/ndp/devices/optional_value.hpp>
#include <fettle/ndp/devices/part_of.hpp>
#include <fettle/ndp/devices/reduce.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination_size.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// The beginnings of runs among keys first to first + count - 1; first > 0.
template <typename K>
[[nodiscard]] constexpr auto beginnings_in(const K& keys, index_t first, index_t count) {
  const run_beginnings none{0, keys.size()};
  const auto here = part_of(keys, first, count);
  const auto before = part_of(keys, first - 1, count);
  using part = std::remove_const_t<decltype(here)>;
  using indices = counting_sequence<index_t, unit_stride>;
  using changes = transformed_sequence<key_change, part, part, indices>;
  const changes found{{keys.size()},
                      tuple_of<part, part, indices>(here, before, indices{first, count})};
  return reduced<add_beginnings, changes, run_beginnings>{{}, found, none};
}

/// Of each part: where the run begins that is its first one, and how many begin in it.
template <typename Group, typename K>
[[nodiscard]] std::vector<run_beginnings> find_runs(Group& group, const computation& named,
                                                    const cuts& where, const K& keys) {
  // Key 0 begins a run; the others are compared with those before them.
  cuts compared = where;
  for (int p = 0; p <= where.parts; ++p) {
    index_t& at = compared.at[p];
    at = at > 0 ? at : 1;
  }
  auto* const room = group.template room<run_beginnings>(named, where.parts);
  group.in_parts(named, compared, [&](int p, const auto& on) {
    by_default_rule{}(on, named, beginnings_in(keys, compared.begin(p), compared.size(p)),
                      sequence<run_beginnings>(room + p, 1));
  });
  group.wait(named);
  std::vector<run_beginnings> found(static_cast<std::size_t>(where.parts));
  for (int p = 0; p < where.parts; ++p) {
    run_beginnings& its = found[static_cast<std::size_t>(p)];
    its = {0, where.begin(p + 1)};
    if (compared.size(p) > 0 && room[p].count > 0) its = room[p];
    if (where.begin(p) == 0 && where.size(p) > 0) its = {its.count + 1, 0};
  }
  return found;
}

/// Elements that a device reads of the part after its own: less than a microsecond's work for a
/// link, where a step that combines parts takes several.
inline constexpr index_t short_rest = 4096;

/// Moves the cuts of parts whose first elements are the short rest of a run to where it ends.
[[nodiscard]] inline cuts without_short_rests(cuts where, const std::vector<run_beginnings>& runs) {
  for (int p = 1; p < where.parts; ++p) {
    const index_t begin = runs[static_cast<std::size_t>(p)].first;
    const bool has_run = runs[static_cast<std::size_t>(p) - 1].count > 0;
    if (has_run && begin - where.begin(p) <= short_rest) where.at[p] = begin;
  }
  return where;
}

/// Throws where the destination has not room for all runs, before anything is written. Waits for
/// the number of runs.
template <group_like Group, typename How, typename Op, typename S, typename K, typename P,
          typename D>
void reduce_by_key_into(Group& group, const computation& named, const cuts& given, const How& how,
                        const reduced_by_key<Op, S, K, P>& e, const D& destination) {
  using T = typename reduced_by_key<Op, S, K, P>::value_type;
  const auto& values = [&]() -> const auto& {
    if constexpr (is_counted_v<D>) {
      return destination.destination;
    } else {
      return destination;
    }
  }();
  const auto runs = find_runs(group, named, given, e.keys);
  const cuts where = without_short_rests(given, runs);
  std::array<index_t, most_devices + 1> run_of{};  // the first run that begins in a part
  for (int p = 0; p < where.parts; ++p) {
    const auto& its = runs[static_cast<std::size_t>(p)];
    run_of[static_cast<std::size_t>(p) + 1] = run_of[static_cast<std::size_t>(p)] + its.count;
  }
  const index_t total = run_of[static_cast<std::size_t>(where.parts)];
  if (values.size() < total) ndp::detail::throw_too_many_runs(values.size(), total);

  const auto begin_of = [&](int p) { return runs[static_cast<std::size_t>(p)].first; };
  auto* const rests = group.template room<optional_value<T>>(named, where.parts);
  group.in_parts(named, where, [&](int p, const auto& on) {
    const index_t first = where.begin(p);
    const index_t begin = begin_of(p);
    const index_t end = where.begin(p + 1);
    if (begin > first) {
      const auto source = part_of(e.source, first, begin - first);
      using lifted = transformed_sequence<to_optional<T>, std::remove_const_t<decltype(source)>>;
      by_default_rule{}(on, named,
                        reduced<combine_optional<Op, T>, lifted, optional_value<T>>{
                            {e.op},
                            lifted{{}, tuple_of<std::remove_const_t<decltype(source)>>(source)},
                            optional_value<T>{}},
                        sequence<optional_value<T>>(rests + p, 1));
    }
    if (begin < end) {
      const auto source = part_of(e.source, begin, end - begin);
      const auto keys = part_of(e.keys, begin, end - begin);
      how(on, named,
          reduced_by_key<Op, std::remove_const_t<decltype(source)>,
                         std::remove_const_t<decltype(keys)>, P>{e.op, source, keys, e.seed},
          part_of(values, run_of[static_cast<std::size_t>(p)],
                  runs[static_cast<std::size_t>(p)].count));
    }
  });
  group.whole(named, [&](const auto& on) {
    for (int p = 0; p < where.parts; ++p) {
      if (where.size(p) == 0 || begin_of(p) == where.begin(p)) continue;
      const auto run = part_of(values, run_of[static_cast<std::size_t>(p)] - 1, 1);
      using one = std::remove_const_t<decltype(run)>;
      by_default_rule{}(
          on, named,
          transformed_sequence<continue_run<Op, T>, one>{{e.op, rests + p}, tuple_of<one>(run)},
          run);
    }
    if constexpr (is_counted_v<D>) {
      using count = constant_sequence<index_t>;
      by_default_rule{}(on, named,
                        transformed_sequence<identity, count>{{}, tuple_of<count>(count{total, 1})},
                        destination.results);
    }
  });
}

}  // namespace fettle::ndp::devices::detail
