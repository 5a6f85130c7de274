// default_rule: how an untuned computation runs on the processor's cores.
//
//   | computation                        | rule                                                   |
//   |------------------------------------|--------------------------------------------------------|
//   | few elements, all of them cheap    | the calling thread, by lanes: waking a team costs more |
//   | few elements, a user's function    | the calling thread, until it has worked for as long as |
//   |                                    | a team takes to wake; what is left goes to a team      |
//   | reduce, scan, reduce_by_key        | cooperative                                            |
//   | map > reduce, map > scan of the    | flattened: equal tiles, whatever the rows' lengths     |
//   | rows of a nest or a split          | are                                                    |
//   | map > map of such rows             | equal tiles of the elements, also inside a row         |
//   | few long rows otherwise            | one after the other, each by the team                  |
//   | many rows otherwise                | independent, in small chunks as threads are free       |
//   | map and views                      | independent: equal parts, or small chunks where a      |
//   |                                    | user's function may take longer for some elements      |
//
// It looks at lengths only, at most at those of eight rows.
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/realise.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Fewer elements than this are few. A thread reduces more by lanes in the time that a team takes
/// to wake, and fewer in rows, which are short and gather.
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
    return nested_node<E> ? few_in_rows : few_elements;
  }
}

/// Whether the computation goes to a team at once. Fewer elements are the calling thread's: all of
/// them where they are cheap, else those that it does before a team would have woken.
template <typename E>
[[nodiscard]] bool is_worth_team(const E& e) {
  return elements_of(e) >= grain<E>();
}

// work(begin, end) on growing ranges, until all is done or the calling thread has worked for as
// long as it takes to wake a team; returns how much is done.
template <typename Work>
[[nodiscard]] index_t try_alone(index_t count, const Work& work) {
  using clock = std::chrono::steady_clock;
  constexpr auto patience = std::chrono::microseconds(20);
  const auto start = clock::now();
  index_t done = 0;
  for (index_t step = 1; done < count; step *= 8) {
    const index_t end = std::min(done + step, count);
    work(done, end);
    done = end;
    if (done < count && clock::now() - start > patience) break;
  }
  return done;
}

// Chunks for threads as they are free: many enough to balance, large enough to be worth the
// synchronisation.
template <team_like Team>
[[nodiscard]] typename Team::policy_type in_chunks(index_t count, index_t elements, int threads) {
  const index_t per_row = std::max<index_t>(elements / std::max<index_t>(count, 1), 1);
  const index_t worthwhile = ceiling_quotient(index_t{1024}, per_row);
  const index_t balanced = std::max<index_t>(count / (index_t{32} * threads), 1);
  return Team::in_chunks(std::clamp<index_t>(balanced, 1, std::max<index_t>(worthwhile, 1)));
}

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

// Few elements, which may be expensive.
template <team_like Team, typename E, typename D>
void few_by_default(const E& e, const D& destination, int threads) {
  const index_t count = e.size();
  if constexpr (elements_node<E> && !is_cheap_v<E>) {
    if (threads > 1 && count > 1) {
      const index_t done = try_alone(count, [&](index_t begin, index_t end) {
        elements_in_thread<by_lanes>(e, destination, begin, end, 0);
      });
      if (done == count) return;
      const auto chosen = Team::in_chunks(1);
      elements_on_team<by_lanes>(Team(chosen), threads, e, destination, done);
      return;
    }
  }
  realise_in_thread<by_lanes>(e, destination, 0);
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
  const auto chosen = in_chunks<Team>(rows, elements, threads);
  elements_on_team<by_lanes>(Team(chosen), threads, e, destination);
}

template <team_like Team, typename E, typename D>
void elements_by_default(const E& e, const D& destination, int threads) {
  using policy = typename Team::policy_type;
  const policy chosen = is_cheap_v<E> ? policy{} : in_chunks<Team>(e.size(), e.size(), threads);
  elements_on_team<by_lanes>(Team(chosen), threads, e, destination);
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
        const index_t done = try_alone(count, [&](index_t begin, index_t end) {
          value = fold(e.op, e.source, begin, end, value);
        });
        if (done == count) return value;
        return reduce_on_team(at, reduce(e.op, subsequence(e.source, done, count - done), value));
      }
    }
  }
  return value_in_thread<schedule::cooperative<>>(e, 0);
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
    const index_t elements = threads > 1 ? elements_of(e) : 0;
    if constexpr (!elements_node<E> && !scatter_node<E>) {
      if (elements < grain<E>()) {
        realise_in_thread<schedule::cooperative<>>(e, destination, 0);
      } else if constexpr (row_reduce_node<E> || row_by_key_node<E>) {
        if (e.source.size() >= index_t{8} * threads) {
          realise<schedule::cooperative<>>(at, e, destination);
        } else {
          realise<schedule::sequential<schedule::independent<>>>(at, e, destination);
        }
      } else if constexpr (splits_v<E>) {
        realise<schedule::cooperative<>>(at, e, destination);
      } else {
        realise_in_thread<schedule::cooperative<>>(e, destination, 0);
      }
    } else if (elements < grain<E>()) {
      few_by_default<Team>(e, destination, threads);
    } else if constexpr (nested_node<E>) {
      if constexpr (flattenable<E>) {
        if (follows_shape(e)) {
          realise<schedule::flattened<>>(at, e, destination);
          return;
        }
      } else if constexpr (evenly_cut<E>) {
        if (follows_shape(e)) {
          const index_t steps = path_length(outer_shape(e));
          const auto divided = policy_for_steps<Team>(steps, is_cheap_v<E>, threads);
          rows_in_equal_tiles<by_lanes>(Team(divided), e, destination);
          return;
        }
      }
      rows_by_default<Team>(e, destination, elements, threads);
    } else {
      elements_by_default<Team>(e, destination, threads);
    }
  }
}

}  // namespace fettle::ndp::host::detail
