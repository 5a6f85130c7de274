// reduce: one reduction by a team. Each thread reduces parts of the source; the partial results are
// combined in the parts' order, so the value depends on the number of threads that the policy names
// and on nothing else, and operators need not commute.
#pragma once

#include <limits>
#include <optional>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/team/partial_results.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename E>
inline constexpr bool splits_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool splits_v<reduced<Op, S, P>> = splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename P, typename Tag>
inline constexpr bool splits_v<scanned_sequence<Op, S, P, Tag>> =
    splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool splits_v<reduced_by_key<Op, S, K, P>> =
    splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool splits_v<keyed_runs<Op, S, K, P>> =
    splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename E>
  requires(selection_node<E> || by_index_node<E> || sort_node<E>)
inline constexpr bool splits_v<E> = true;

/// A scalar reduction that a team can work on together.
template <typename E>
concept team_reducible = scalar_reduce_node<E> && splits_v<E>;

/// seed op part(0, ...) op ... op part(..., count), on `threads` threads of `at`.
template <typename T, team_like Team, typename Op, typename Part>
[[nodiscard]] T combined_parts(const Team& at, int threads, index_t count, const Op& op, T seed,
                               const Part& part_of) {
  const index_t parts = at.parts_of(count, threads);
  partial_results<T> partial(parts);
  at.for_parts(threads, parts, [&](index_t begin, index_t end) {
    const Part own = part_of;  // the thread's own, which no store to a partial result can change
    for (index_t part = begin; part < end; ++part) {
      partial[part].emplace(
          own(part_begin(count, part, parts), part_begin(count, part + 1, parts)));
    }
  });
  for (index_t part = 0; part < parts; ++part) seed = op(seed, *partial[part]);
  return seed;
}

/// The value of `e`, on the threads of `at`.
template <team_like Team, team_reducible E>
[[nodiscard]] typename E::value_type reduce_on_team(const Team& at, const E& e) {
  using value_type = typename E::value_type;
  const index_t count = e.source.size();
  const int threads = at.template divide<schedule::none>(count).team;
  if (threads <= 1) {
    return fold(e.op, e.source, 0, count, static_cast<value_type>(e.seed));
  }
  const auto part = [op = e.op, source = e.source](index_t begin, index_t end) {
    return fold_part<value_type>(op, source, begin, end);
  };
  return combined_parts<value_type>(at, threads, count, e.op, static_cast<value_type>(e.seed),
                                    part);
}

/// map > reduce with the rows one after the other, the threads of `at` together on each.
template <team_like Team, typename E, typename D>
  requires team_reducible<row_t<E>>
void reduce_rows_one_by_one(const Team& at, const E& e, const D& destination) {
  using value_type = typename row_t<E>::value_type;
  const int threads = at.template divide<schedule::none>(std::numeric_limits<index_t>::max()).team;
  // The partial results of two rows: one may still be read while the next is written.
  partial_results<value_type> partial(index_t{2} * threads);
  const auto fold_own = [&](index_t i, int part) {
    std::optional<value_type>& own = partial[(i & 1) * threads + part];
    own.reset();
    const row_t<E> row = e[i];
    const index_t count = row.source.size();
    const index_t first = part_begin(count, part, threads);
    const index_t last = part_begin(count, part + 1, threads);
    if (first < last) own.emplace(fold_part<value_type>(row.op, row.source, first, last));
  };
  at.in_rounds(threads, e.size(), fold_own, [&](index_t i) {
    const row_t<E> row = e[i];
    auto value = static_cast<value_type>(row.seed);
    for (index_t part = 0; part < threads; ++part) {
      const std::optional<value_type>& other = partial[(i & 1) * threads + part];
      if (other) value = row.op(value, *other);
    }
    store<element_t<D>>(destination[i], value);
  });
}

}  // namespace fettle::ndp::host::detail
