// cooperative_reduce: one reduction by a team. Each thread reduces parts of the source; the partial
// results are combined in the parts' order, so the value depends on the number of threads that the
// policy names and on nothing else, and operators need not commute.
#pragma once

#include <algorithm>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/openmp/lanes/fold.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/rows/in_thread.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/deal.hpp>
#include <fettle/ndp/openmp/team/slots.hpp>
#include <fettle/ndp/openmp/team/team.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

namespace detail {

// Into how many parts a level's parameters cut `count` elements: one a thread where they are dealt
// statically, else small ones that are dealt as threads become free.
[[nodiscard]] inline index_t parts_of(const openmp::level& how, index_t count, int threads) {
  const index_t most = std::min<index_t>(count, index_t{64} * threads);
  if (how.chunk_size > 0) {
    return std::clamp<index_t>(ceiling_quotient(count, how.chunk_size), 1, most);
  }
  const bool in_turn =
      how.schedule == omp_schedule::dynamic || how.schedule == omp_schedule::guided;
  return std::min<index_t>(most, in_turn ? index_t{16} * threads : threads);
}

template <typename E>
inline constexpr bool splits_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool splits_v<reduced<Op, S, P>> = splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename P>
inline constexpr bool splits_v<scanned_sequence<Op, S, P>> =
    splittable<Op, S, accumulator_t<Op, S, P>>;
template <typename Op, typename S, typename K, typename P>
inline constexpr bool splits_v<reduced_by_key<Op, S, K, P>> =
    splittable<Op, S, accumulator_t<Op, S, P>>;

}  // namespace detail

/// A scalar reduction that a team can share.
template <typename E>
concept team_reducible = scalar_reduce_node<E> && detail::splits_v<E>;

/// The value of `e`, on the threads of `at`.
template <team_reducible E>
[[nodiscard]] typename E::value_type reduce_on_team(const context& at, const E& e) {
  using value_type = typename E::value_type;
  const index_t count = e.source.size();
  const int team = divide(at, count).team;
  if (team <= 1) {
    return fold(e.op, e.source, 0, count, static_cast<value_type>(e.seed));
  }
  const index_t parts = detail::parts_of(at.here(), count, team);
  slots<value_type> partial(parts);
  deal_state state;
  on_team(team, [&](team_member& member) {
    member.last_step([&] {
      // The thread's own copies, which no store to a partial result can change.
      const auto op = e.op;
      const auto source = e.source;
      deal(at.here().schedule, 1, parts, member, state, [&](index_t begin, index_t end) {
        for (index_t part = begin; part < end; ++part) {
          partial[part].emplace(fold_part<value_type>(op, source, part_begin(count, part, parts),
                                                      part_begin(count, part + 1, parts)));
        }
      });
    });
  });
  auto value = static_cast<value_type>(e.seed);
  for (index_t part = 0; part < parts; ++part) value = e.op(value, *partial[part]);
  return value;
}

/// map > reduce with the rows one after the other, each of them shared by the threads of `at`: one
/// region for all rows, and one meeting of the threads for each.
template <nested_node E, typename D>
  requires team_reducible<row_t<E>>
void reduce_rows_one_by_one(const context& at, const E& e, const D& destination) {
  using value_type = typename row_t<E>::value_type;
  const index_t rows = e.size();
  const int team = divide(at, std::numeric_limits<index_t>::max()).team;
  // The partial results of two rows: one may still be read while the next is written.
  slots<value_type> partial(index_t{2} * team);
  on_team(team, [&](team_member& member) {
    for (index_t i = 0; i < rows; ++i) {
      const index_t slot = (i & 1) * team;
      const bool all_well = member.step([&] {
        const row_t<E> row = e[i];
        const index_t count = row.source.size();
        for (index_t part = member.thread(); part < team; part += member.size()) {
          const index_t first = part_begin(count, part, team);
          const index_t last = part_begin(count, part + 1, team);
          partial[slot + part].reset();
          if (first == last) continue;
          partial[slot + part].emplace(fold_part<value_type>(row.op, row.source, first, last));
        }
      });
      if (!all_well) return;
      if (i % member.size() != member.thread()) continue;
      member.last_step([&] {
        const row_t<E> row = e[i];
        auto value = static_cast<value_type>(row.seed);
        for (index_t part = 0; part < team; ++part) {
          if (partial[slot + part]) value = row.op(value, *partial[slot + part]);
        }
        store<element_t<D>>(destination[i], value);
      });
    }
  });
}

}  // namespace fettle::ndp::openmp
