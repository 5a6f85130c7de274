// default_rule: how an untuned computation runs on the processor's cores.
//
//   | computation                        | rule                                                   |
//   |------------------------------------|--------------------------------------------------------|
//   | few elements, all of them cheap    | the calling thread, by lanes: waking a team costs more |
//   | elements of a user's function      | the calling thread, until it knows that the rest takes |
//   |                                    | longer than waking a team; the rest in chunks of 5 us  |
//   | reduce, scan, reduce_by_key        | cooperative                                            |
//   | map > reduce, map > scan of the    | flattened: equal tiles, whatever the rows' lengths     |
//   | rows of a nest or a split          | are                                                    |
//   | map > map of such rows             | equal tiles of the elements, also inside a row         |
//   | few long rows otherwise            | one after the other, each by the team                  |
//   | many rows otherwise                | independent, in chunks as threads are free             |
//   | views, maps of cheap functions     | independent: equal parts                               |
//
// It looks at lengths, at most at those of eight rows, and at the time that the first elements of a
// user's function take.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/realise.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/side_by_side.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/window.hpp>

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

/// About how long it takes to wake a team.
inline constexpr std::chrono::duration<double> team_start = std::chrono::microseconds(20);

/// What the calling thread did before others joined it.
struct head_start {
  using seconds = std::chrono::duration<double>;

  index_t done = 0;
  seconds each{};  // of the last elements of these

  /// How many elements take that long, going by the last ones; one at least.
  [[nodiscard]] index_t elements_in(seconds time) const noexcept {
    const double count = time / each;
    return count < 1 ? 1 : static_cast<index_t>(std::min(count, 1e15));
  }
};

// work(begin, end) on ranges by the calling thread, until all is done or, going by what is done,
// the rest takes it longer than a team, which has to wake first. The first element does not count
// unless it is slow by itself: its code and data are not in the caches yet.
template <typename Work>
[[nodiscard]] head_start start_alone(index_t count, const Work& work) {
  using clock = std::chrono::steady_clock;
  constexpr head_start::seconds shortest_sample = std::chrono::microseconds(1);
  head_start so_far;
  for (index_t step = 1; so_far.done < count;) {
    const bool is_first = so_far.done == 0;
    const index_t end = std::min(so_far.done + step, count);
    const auto begun = clock::now();
    work(so_far.done, end);
    const head_start::seconds took = clock::now() - begun;
    so_far.each = took / static_cast<double>(end - so_far.done);
    so_far.done = end;
    if (took < shortest_sample) {
      step *= 8;
    } else if (!is_first || took > team_start) {
      if (count - end > so_far.elements_in(2 * team_start)) break;
      step = so_far.elements_in(team_start);
    }
  }
  return so_far;
}

// Chunks of the rest for threads as they are free: long enough to be worth their synchronisation,
// and some hundred for each thread at most.
template <team_like Team>
[[nodiscard]] typename Team::policy_type in_chunks_after(const head_start& so_far, index_t rest,
                                                         int threads) {
  constexpr head_start::seconds worthwhile = std::chrono::microseconds(5);
  constexpr index_t most = std::numeric_limits<int>::max();
  const index_t longest = std::clamp<index_t>(rest / (index_t{32} * threads), 1, most);
  const index_t shortest = std::clamp<index_t>(rest / (index_t{512} * threads), 1, most);
  return Team::in_chunks(std::clamp(so_far.elements_in(worthwhile), shortest, longest));
}

// How many rows a chunk has of which nothing has been measured, and of which up to `grouped` are
// done together: fewer where that would leave a thread without rows, or with less than four chunks.
[[nodiscard]] inline index_t rows_in_chunk(index_t rows, index_t elements, int threads,
                                           index_t grouped) {
  constexpr index_t elements_in_chunk = 16384;
  const index_t per_row = std::max<index_t>(elements / std::max<index_t>(rows, 1), 1);
  const index_t worthwhile = ceiling_quotient(elements_in_chunk, per_row);
  const index_t balanced = std::max<index_t>(rows / (index_t{32} * threads), 1);
  constexpr index_t in_a_cache_line = 8;  // results of 8 bytes
  const index_t fewest = std::clamp<index_t>(ceiling_quotient(rows, threads), 1, in_a_cache_line);
  const index_t together = std::min(grouped, std::max(rows / (index_t{4} * threads), fewest));
  return ceiling_quotient(std::min(balanced, worthwhile), together) * together;
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

// Elements of which a user's function may be expensive: by the calling thread first, which finds
// out.
template <team_like Team, typename E, typename D>
void unknown_by_default(const E& e, const D& destination, int threads) {
  const index_t count = e.size();
  const auto begun = start_alone(count, [&](index_t begin, index_t end) {
    elements_in_thread<by_lanes>(e, destination, begin, end, {});
  });
  if (begun.done == count) return;
  const auto chosen = in_chunks_after<Team>(begun, count - begun.done, threads);
  elements_on_team<by_lanes>(Team(chosen), threads, e, destination, begun.done);
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
  const auto chosen = Team::in_chunks(rows_in_chunk(rows, elements, threads, rows_in_group<E>()));
  elements_on_team<by_lanes>(Team(chosen), threads, e, destination);
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
    const index_t steps = path_length(outer_shape(e));
    const auto begun = start_alone(steps, [&](index_t begin, index_t end) {
      steps_in_thread<by_lanes>(e, destination, begin, end);
    });
    if (begun.done == steps) return;
    const auto chosen = in_chunks_after<Team>(begun, steps - begun.done, threads);
    rows_in_equal_tiles<by_lanes>(Team(chosen), e, destination, begun.done);
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
        const index_t done = start_alone(count, [&](index_t begin, index_t end) {
                               value = fold(e.op, e.source, begin, end, value);
                             }).done;
        if (done == count) return value;
        return reduce_on_team(at, reduce(e.op, subsequence(e.source, done, count - done), value));
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
      rows_by_default<Team>(e, destination, elements, threads);
    } else {
      elements_by_default<Team>(e, destination, threads);
    }
  }
}

}  // namespace fettle::ndp::host::detail
