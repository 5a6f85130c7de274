// default_rule: how an untuned computation runs on OpenMP.
//
//   | computation                        | rule                                                   |
//   |------------------------------------|--------------------------------------------------------|
//   | few elements, all of them cheap    | the calling thread, by lanes: waking a team costs more |
//   | few elements, a user's function    | the calling thread, until it has worked for as long as |
//   |                                    | a team takes to wake; what is left goes to a team      |
//   | reduce, scan, reduce_by_key        | cooperative                                            |
//   | map > reduce, map > scan of the    | flattened: equal shares, whatever the rows' lengths    |
//   | rows of a nest or a split          | are                                                    |
//   | map > map of such rows             | equal shares of the elements, also inside a row        |
//   | few long rows otherwise            | one after the other, each by the team                  |
//   | many rows otherwise                | independent, dealt in small chunks as threads are free |
//   | map and views                      | independent: equal shares, or small chunks where a     |
//   |                                    | user's function may take longer for some elements      |
//
// It looks at lengths only, at most at those of eight rows.
#pragma once

#include <algorithm>
#include <chrono>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/openmp/dispatch/cost.hpp>
#include <fettle/ndp/openmp/dispatch/realise.hpp>
#include <fettle/ndp/openmp/flattened/even_rows.hpp>
#include <fettle/ndp/openmp/lanes/node.hpp>
#include <fettle/ndp/openmp/rows/in_thread.hpp>
#include <fettle/ndp/openmp/team/context.hpp>
#include <fettle/ndp/openmp/team/team.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp {

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

namespace detail {

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

// Chunks for threads that become free: many enough to balance, large enough to be worth dealing.
[[nodiscard]] inline policy dealt_in_turn(index_t count, index_t elements, int threads) {
  const index_t per_row = std::max<index_t>(elements / std::max<index_t>(count, 1), 1);
  const index_t worthwhile = ceiling_quotient(index_t{1024}, per_row);
  const index_t balanced = std::max<index_t>(count / (index_t{32} * threads), 1);
  policy chosen;
  chosen.level.first.schedule = omp_schedule::dynamic;
  chosen.level.first.chunk_size =
      static_cast<int>(std::clamp<index_t>(balanced, 1, std::max<index_t>(worthwhile, 1)));
  return chosen;
}

// What a thread does alone it may do in any order, on every level.
using by_lanes =
    schedule::cooperative<schedule::cooperative<schedule::cooperative<schedule::cooperative<>>>>;

// What all threads do with a single row; none where it cannot be shared.
template <typename Row>
struct row_schedule {
  using type = std::conditional_t<
      elements_node<Row> || scatter_node<Row>, schedule::independent<>,
      std::conditional_t<splits_v<Row> || row_reduce_node<Row> || row_by_key_node<Row>,
                         schedule::cooperative<>, schedule::none>>;
};

// Few elements, which may be expensive.
template <typename E, typename D>
void few_by_default(const E& e, const D& destination, int threads) {
  const index_t count = e.size();
  if constexpr (elements_node<E> && !is_cheap_v<E>) {
    if (threads > 1 && count > 1) {
      const index_t done = try_alone(count, [&](index_t begin, index_t end) {
        elements_in_thread<by_lanes>(e, destination, begin, end, 0);
      });
      if (done == count) return;
      policy chosen;
      chosen.level.first.schedule = omp_schedule::dynamic;
      elements_on_team<by_lanes>(context{&chosen, threads}, threads, e, destination, done);
      return;
    }
  }
  realise_in_thread<by_lanes>(e, destination, 0);
}

// Rows whose places are not known, or that cannot be cut.
template <nested_node E, typename D>
void rows_by_default(const E& e, const D& destination, index_t elements, int threads) {
  using inner = typename row_schedule<row_t<E>>::type;
  const index_t rows = e.size();
  if constexpr (!std::is_same_v<inner, schedule::none>) {
    if (rows < threads && elements >= rows * few_elements) {
      const policy chosen;
      realise<schedule::sequential<inner>>(context{&chosen, threads}, e, destination);
      return;
    }
  }
  const policy chosen = dealt_in_turn(rows, elements, threads);
  elements_on_team<by_lanes>(context{&chosen, threads}, threads, e, destination);
}

template <typename E, typename D>
void elements_by_default(const E& e, const D& destination, int threads) {
  const policy chosen = is_cheap_v<E> ? policy{} : dealt_in_turn(e.size(), e.size(), threads);
  elements_on_team<by_lanes>(context{&chosen, threads}, threads, e, destination);
}

}  // namespace detail

/// The value of a reduction.
template <scalar_reduce_node E>
[[nodiscard]] typename E::value_type value_by_default(const E& e) {
  using value_type = typename E::value_type;
  using source = std::remove_cvref_t<decltype(e.source)>;
  if constexpr (team_reducible<E>) {
    const int threads = thread_count(0);
    const index_t count = e.source.size();
    const policy chosen;
    const context at{&chosen, threads};
    if (threads > 1 && count >= grain<E>()) return reduce_on_team(at, e);
    if constexpr (!is_cheap_v<source>) {
      if (threads > 1 && count > 1) {
        auto value = static_cast<value_type>(e.seed);
        const index_t done = detail::try_alone(count, [&](index_t begin, index_t end) {
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
template <typename E, typename D>
void realise_by_default(const E& e, const D& destination) {
  if constexpr (scalar_reduce_node<E>) {
    store<element_t<D>>(destination[0], value_by_default(e));
  } else {
    const int threads = thread_count(0);
    const index_t elements = threads > 1 ? elements_of(e) : 0;
    const policy chosen;
    const context at{&chosen, threads};
    if constexpr (!elements_node<E> && !scatter_node<E>) {
      if (elements < grain<E>()) {
        realise_in_thread<schedule::cooperative<>>(e, destination, 0);
      } else if constexpr (row_reduce_node<E> || row_by_key_node<E>) {
        if (e.source.size() >= index_t{8} * threads) {
          realise<schedule::cooperative<>>(at, e, destination);
        } else {
          realise<schedule::sequential<schedule::independent<>>>(at, e, destination);
        }
      } else if constexpr (detail::splits_v<E>) {
        realise<schedule::cooperative<>>(at, e, destination);
      } else {
        realise_in_thread<schedule::cooperative<>>(e, destination, 0);
      }
    } else if (elements < grain<E>()) {
      detail::few_by_default(e, destination, threads);
    } else if constexpr (nested_node<E>) {
      if constexpr (flattenable<E>) {
        if (follows_shape(e)) {
          realise<schedule::flattened<>>(at, e, destination);
          return;
        }
      } else if constexpr (evenly_cut<E>) {
        if (follows_shape(e)) {
          const index_t steps = path_length(outer_shape(e));
          const policy dealt = steps_dealt(steps, is_cheap_v<E>, threads);
          rows_in_even_shares<detail::by_lanes>(context{&dealt, threads}, e, destination);
          return;
        }
      }
      detail::rows_by_default(e, destination, elements, threads);
    } else {
      detail::elements_by_default(e, destination, threads);
    }
  }
}

}  // namespace fettle::ndp::openmp
