// default_rule: how an untuned computation runs on the processor's cores.
//
//   | computation                        | rule                                                   |
//   |------------------------------------|--------------------------------------------------------|
//   | few elements, all of them cheap    | the calling thread, by lanes: waking a team costs more |
//   | elements of a user's function      | the calling thread, until it knows that the rest takes |
//   |                                    | longer than starting a team, or as it was the last     |
//   |                                    | time; a team's threads share it as they measure        |
//   | reduce, scan, reduce_by_key        | cooperative                                            |
//   | map > reduce, map > scan of the    | flattened: equal tiles, whatever the rows' lengths     |
//   | rows of a nest or a split          | are                                                    |
//   | map > map of such rows             | equal tiles of the elements, also inside a row         |
//   | columns reduced                    | equal parts; few columns: equal parts of the rows that |
//   |                                    | they run through, combined                             |
//   | maps and scans of columns, or into | independent, some columns at a time; maps of few, or   |
//   | columns                            | from columns into columns: equal parts of all          |
//   | other rows of columns              | independent, as many at a time as are packed           |
//   | few long rows otherwise            | one after the other, each by the team                  |
//   | many rows otherwise                | independent, in chunks as threads are free             |
//   | views, maps of cheap functions     | independent: equal parts                               |
//
// It looks at lengths, at most at those of eight rows, and at the time that the first elements of a
// user's function take, or took when the computation ran last.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/head_start.hpp>
#include <fettle/ndp/host/dispatch/measured_cost.hpp>
#include <fettle/ndp/host/dispatch/measured_loop.hpp>
#include <fettle/ndp/host/dispatch/realise.hpp>
#include <fettle/ndp/host/dispatch/worth_team.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/packed_columns.hpp>
#include <fettle/ndp/host/rows/side_by_side.hpp>
#include <fettle/ndp/host/team/for_chunks.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/columns.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// What a thread does alone it may do in any order, on every level.
using by_lanes =
    schedule::cooperative<schedule::cooperative<schedule::cooperative<schedule::cooperative<>>>>;

// What all threads do with a single row; none where they cannot work on it together.
template <typename Row>
struct row_schedule {
  using type = std::conditional_t<
      elements_node<Row> || scatter_node<Row>, schedule::independent<>,
      std::conditional_t<splits_v<Row> || row_reduce_node<Row> || row_by_key_node<Row>,
                         schedule::cooperative<>, schedule::none>>;
};

// Elements of which a user's function may be expensive.
template <team_like Team, typename E, typename D>
void unknown_by_default(const E& e, const D& destination, int threads) {
  for_measured<Team>(e.size(), threads, cost_of<E>, [&](index_t begin, index_t end) {
    elements_in_thread<by_lanes>(e, destination, begin, end, {});
  });
}

// Few elements, which may be expensive.
template <team_like Team, typename E, typename D>
void few_by_default(const E& e, const D& destination, int threads) {
  if constexpr (elements_node<E> && !is_cheap_v<E>) {
    if (threads > 1 && e.size() > 1) {
      unknown_by_default<Team>(e, destination, threads);
      return;
    }
  }
  realise_in_thread<by_lanes>(e, destination, {});
}

template <typename E>
[[nodiscard]] consteval index_t rows_in_group() {
  if constexpr (side_by_side_node<E>) {
    return rows_side_by_side<E>;
  } else {
    return 1;
  }
}

// Columns of a matrix: equal parts of them, or where they are few, of the matrix's rows.
template <team_like Team, columns_node E, typename D>
void columns_by_default(const E& e, const D& destination, int threads) {
  const typename Team::policy_type equal_parts;
  const Team at(equal_parts);
  if constexpr (team_reducible<row_t<E>>) {
    if (shares_columns(e, threads) && reduce_shared_columns(at, e, destination)) return;
  }
  elements_on_team<by_lanes>(at, threads, e, destination);
}

// Maps, scans and copies of columns: some columns a thread, as many as possible where both sides
// are columns; parts of all columns of a map with so few, or with both sides.
template <team_like Team, typename E, typename D>
  requires column_elements<E, D>
void column_elements_by_default(const E& e, const D& destination, index_t elements, int threads) {
  const typename Team::policy_type chosen;
  const Team at(chosen);
  const index_t columns = e.size();
  constexpr index_t line = columns_of_line<E>;
  constexpr bool both = columns_together<E, D> > line;
  if constexpr (!scan_node<row_t<E>>) {
    if ((both || columns < line * threads) && equal_columns(e, 0, columns) == columns) {
      const index_t length = e[0].size();
      const index_t each = rows_in_chunk(length, elements, threads, 1);
      for_chunks(at, threads, length, each, [&](index_t from, index_t until) {
        for (index_t u = 0; u < columns; u += columns_together<E, D>) {
          const index_t its = std::min(columns - u, columns_together<E, D>);
          assign_columns(e, destination, u, its, from, until);
        }
      });
      return;
    }
  }
  const index_t each = both ? ceiling_quotient(columns, index_t{threads})
                            : rows_in_chunk(columns, elements, threads, line);
  for_chunks(at, threads, columns, ceiling_quotient(each, line) * line,
             [&](index_t begin, index_t end) {
               elements_in_thread<by_lanes>(e, destination, begin, end, {});
             });
}

// Columns that are packed: as many as are packed together a thread.
template <team_like Team, typename E, typename D>
  requires packs_columns<E, D>
void packed_by_default(const E& e, const D& destination, int threads) {
  const typename Team::policy_type chosen;
  const index_t columns = e.size();
  const index_t each =
      std::clamp(ceiling_quotient(columns, index_t{threads}), index_t{1}, columns_of_pack<E>);
  for_chunks(Team(chosen), threads, columns, each, [&](index_t begin, index_t end) {
    elements_in_thread<by_lanes>(e, destination, begin, end, {});
  });
}

// Rows whose offsets are not known, or that cannot be cut.
template <team_like Team, nested_node E, typename D>
void rows_by_default(const E& e, const D& destination, index_t elements, int threads) {
  using inner = typename row_schedule<row_t<E>>::type;
  const index_t rows = e.size();
  if constexpr (!std::is_same_v<inner, schedule::none>) {
    if (rows < threads && elements >= rows * few_elements) {
      const typename Team::policy_type chosen;
      realise<schedule::sequential<inner>>(Team(chosen), e, destination);
      return;
    }
  }
  const typename Team::policy_type chosen;
  for_chunks(Team(chosen), threads, rows,
             rows_in_chunk(rows, elements, threads, rows_in_group<E>()),
             [&](index_t begin, index_t end) {
               elements_in_thread<by_lanes>(e, destination, begin, end, {});
             });
}

// map > map: by equal tiles of its steps.
template <team_like Team, evenly_cut E, typename D>
void even_rows_by_default(const E& e, const D& destination, int threads) {
  if constexpr (is_cheap_v<E>) {
    const typename Team::policy_type chosen;
    rows_in_equal_tiles<by_lanes>(Team(chosen), e, destination);
  } else if (threads <= 1) {
    realise_in_thread<by_lanes>(e, destination, {});
  } else {
    const auto work = [&](index_t begin, index_t end) {
      steps_in_thread<by_lanes>(e, destination, begin, end);
    };
    for_measured<Team>(path_length(outer_shape(e)), threads, cost_of<E>, work);
  }
}

template <team_like Team, typename E, typename D>
void elements_by_default(const E& e, const D& destination, int threads) {
  if constexpr (is_cheap_v<E> || !elements_node<E>) {
    const typename Team::policy_type chosen;
    elements_on_team<by_lanes>(Team(chosen), threads, e, destination);
  } else {
    unknown_by_default<Team>(e, destination, threads);
  }
}

/// The value of a reduction.
template <team_like Team, scalar_reduce_node E>
[[nodiscard]] typename E::value_type value_by_default(const E& e) {
  using value_type = typename E::value_type;
  using source = std::remove_cvref_t<decltype(e.source)>;
  if constexpr (team_reducible<E>) {
    const typename Team::policy_type chosen;
    const Team at(chosen);
    const int threads = at.threads();
    const index_t count = e.source.size();
    if (threads > 1 && count >= grain<E>()) return reduce_on_team(at, e);
    if constexpr (!is_cheap_v<source>) {
      if (threads > 1 && count > 1) {
        auto value = static_cast<value_type>(e.seed);
        const auto work = [&](index_t begin, index_t end) {
          value = fold(e.op, e.source, begin, end, value);
        };
        measured_cost& cost = cost_of<E>;
        const index_t done = begin_measured<Team>(count, threads, cost, work).done;
        if (done == count) return value;
        return measured_whole(count - done, threads, cost, [&] {
          return reduce_on_team(at, reduce(e.op, subsequence(e.source, done, count - done), value));
        });
      }
    }
  }
  return value_in_thread<schedule::cooperative<>>(e, {});
}

/// Any computation into its destination.
template <team_like Team, typename E, typename D>
void realise_by_default(const E& e, const D& destination) {
  if constexpr (scalar_reduce_node<E>) {
    store<element_t<D>>(destination[0], value_by_default<Team>(e));
  } else {
    const typename Team::policy_type chosen;
    const Team at(chosen);
    const int threads = at.threads();
    if constexpr (packs_columns<E, D>) {
      const bool are_many = e.size() * ndp::detail::length_of_columns(e) >= few_elements;
      if (threads > 1 && are_many && bytes_of_pack(e) > 0) {
        packed_by_default<Team>(e, destination, threads);
        return;
      }
    }
    const index_t elements = threads > 1 ? elements_of(e) : 0;
    if constexpr (!elements_node<E> && !scatter_node<E>) {
      if (elements < grain<E>()) {
        realise_in_thread<schedule::cooperative<>>(e, destination, {});
      } else if constexpr (row_reduce_node<E> || row_by_key_node<E>) {
        if (e.source.size() >= index_t{8} * threads) {
          realise<schedule::cooperative<>>(at, e, destination);
        } else {
          realise<schedule::sequential<schedule::independent<>>>(at, e, destination);
        }
      } else if constexpr (splits_v<E>) {
        realise<schedule::cooperative<>>(at, e, destination);
      } else {
        realise_in_thread<schedule::cooperative<>>(e, destination, {});
      }
    } else if (elements < grain<E>() && (is_cheap_v<E> || !evenly_cut<E>)) {
      few_by_default<Team>(e, destination, threads);
    } else if constexpr (column_elements<E, D>) {
      column_elements_by_default<Team>(e, destination, elements, threads);
    } else if constexpr (nested_node<E>) {
      if constexpr (flattenable<E>) {
        if (follows_shape(e)) {
          realise<schedule::flattened<>>(at, e, destination);
          return;
        }
      } else if constexpr (evenly_cut<E>) {
        if (follows_shape(e)) {
          even_rows_by_default<Team>(e, destination, threads);
          return;
        }
        if (elements < grain<E>()) {
          few_by_default<Team>(e, destination, threads);
          return;
        }
      }
      if constexpr (columns_node<E>) {
        columns_by_default<Team>(e, destination, threads);
      } else {
        rows_by_default<Team>(e, destination, elements, threads);
      }
    } else {
      elements_by_default<Team>(e, destination, threads);
    }
  }
}

}  // namespace fettle::ndp::host::detail
