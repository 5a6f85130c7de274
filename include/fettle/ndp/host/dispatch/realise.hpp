// realise: a computation by a schedule and a policy, level by level.
//
// The first level that may run in parallel gets the team; what is nested in it runs in its threads,
// or on further teams where the policy enables nesting. Sequential levels above it are loops
// whose elements get the whole team, one after the other.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/flattened/flattened.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/team/level_of.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/host/whole/reduce_by_index.hpp>
#include <fettle/ndp/host/whole/reduce_by_key.hpp>
#include <fettle/ndp/host/whole/scan.hpp>
#include <fettle/ndp/host/whole/select.hpp>
#include <fettle/ndp/host/whole/sort.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <schedule::inner_schedule Schedule, team_like Team, typename E, typename D>
void realise(const Team& at, const E& e, const D& destination);

/// The value of a scalar reduction.
template <schedule::inner_schedule Schedule, team_like Team, scalar_reduce_node E>
[[nodiscard]] typename E::value_type value_of(const Team& at, const E& e) {
  if constexpr (schedule::kind_v<Schedule> == schedule::kind::cooperative) {
    static_assert(team_reducible<E>,
                  "reduce cannot be cooperative here: the operator has to take two results as well "
                  "as a result and an element; use schedule::sequential<>");
    return reduce_on_team(at, e);
  } else {
    return value_in_thread<Schedule>(e, at.unrolled());
  }
}

// Element i, with threads to spare for it.
template <schedule::inner_schedule Inner, typename Team, nested_node E, typename D>
void realise_element(const Team& inner, const E& e, const D& destination, index_t i) {
  const row_t<E> row = e[i];
  if constexpr (scalar_reduce_node<row_t<E>>) {
    store<element_t<D>>(destination[i], value_of<Inner>(inner, row));
  } else {
    realise<Inner>(inner, row, destination_of(e, destination, i, row));
  }
}

// The elements from `from` on, divided among the threads; each one on one thread.
template <schedule::inner_schedule Schedule, typename Team, typename E, typename D>
void elements_on_team(const Team& at, int threads, const E& e, const D& destination,
                      index_t from = 0) {
  at.for_ranges(threads, e.size() - from, [&](index_t begin, index_t end) {
    if constexpr (scatter_node<E>) {
      own_t<E> own = e;
      for (index_t i = from + begin; i < from + end; ++i) own.update(i);
    } else {
      elements_in_thread<Schedule>(e, destination, from + begin, from + end, at.unrolled());
    }
  });
}

// A level whose elements are divided among the team, each of them with another team where the
// policy has threads left for that.
template <schedule::inner_schedule Schedule, typename Team, typename E, typename D>
void realise_independent(const Team& at, const E& e, const D& destination) {
  using inner = inner_of_t<Schedule>;
  const division threads = at.template divide<inner>(e.size());
  if constexpr (nested_node<E> && !schedule::is_sequential_v<inner>) {
    if (threads.inner > 1) {
      at.for_ranges(threads.team, e.size(), [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) {
          realise_element<inner>(at.inner(threads.inner), e, destination, i);
        }
      });
      return;
    }
  }
  elements_on_team<Schedule>(at, threads.team, e, destination);
}

// A level whose elements come one after the other, each with the whole team.
template <schedule::inner_schedule Schedule, typename Team, nested_node E, typename D>
void realise_one_by_one(const Team& at, const E& e, const D& destination) {
  using inner = inner_of_t<Schedule>;
  const Team below = at.inner(at.threads());
  if constexpr (schedule::kind_v<inner> == schedule::kind::cooperative &&
                team_reducible<row_t<E>>) {
    reduce_rows_one_by_one(below, e, destination);
  } else {
    const index_t count = e.size();
    for (index_t i = 0; i < count; ++i) realise_element<inner>(below, e, destination, i);
  }
}

template <typename Team, typename E, typename D>
void realise_flattened(const Team& at, const E& e, const D& destination) {
  static_assert(
      flattenable<E>,
      "flattened needs a map whose function returns a reduce to a value or a scan, over an "
      "argument with contiguous rows (nest or split), with an operator that "
      "takes two results; use schedule::independent<...>");
  if constexpr (flattenable<E>) {
    if constexpr (scan_node<row_t<E>>) {
      scan_flattened(at, e, destination);
    } else {
      reduce_flattened(at, e, destination);
    }
  }
}

// A reduction of rows is one by key with one key.
template <row_by_key_node E>
[[nodiscard]] const E& as_by_key(const E& e) {
  return e;
}
template <typename Op, typename S, typename P>
[[nodiscard]] auto as_by_key(const reduced<Op, S, P>& e) {
  using keys = constant_sequence<int>;
  return reduced_by_key<Op, S, keys, P>{e.op, e.source, keys{0, e.source.size()}, e.seed};
}

// A scan or a reduction to more than one value, by a team together.
template <schedule::inner_schedule Schedule, typename Team, typename E, typename D>
void realise_cooperative(const Team& at, const E& e, const D& destination) {
  if constexpr (scan_node<E>) {
    static_assert(
        team_scannable<E>,
        "scan cannot be cooperative here: the operator has to take two results as well as "
        "a result and an element; use schedule::sequential<>");
    scan_on_team(at, e, destination);
  } else if constexpr (selection_node<E>) {
    select_on_team(at, e, destination);
  } else if constexpr (by_index_node<E>) {
    reduce_by_index_on_team(at, e, destination);
  } else if constexpr (sort_node<E>) {
    sort_by_team(at, e, destination);
  } else {
    const index_t count = e.source.size();
    const int threads = at.template divide<schedule::none>(count).team;
    if (threads <= 1) {
      realise_in_thread<Schedule>(e, destination, at.unrolled());
    } else if constexpr (scalar_by_key_node<E>) {
      static_assert(
          splits_v<E>,
          "reduce_by_key cannot be cooperative here: the operator has to take two results "
          "as well as a result and an element; use schedule::sequential<>");
      reduce_by_key_on_team(at, e, destination, threads);
    } else {
      reduce_rows_by_key_on_team(at, as_by_key(e), destination, threads);
    }
  }
}

/// `e` into `destination`, on the threads of `at`.
template <schedule::inner_schedule Schedule, team_like Team, typename E, typename D>
void realise(const Team& at, const E& e, const D& destination) {
  using inner = inner_of_t<Schedule>;
  constexpr schedule::kind kind = schedule::kind_v<Schedule>;
  if constexpr (scalar_reduce_node<E>) {
    store<element_t<D>>(destination[0], value_of<Schedule>(at, e));
  } else if constexpr (kind == schedule::kind::flattened) {
    realise_flattened(at, e, destination);
  } else if constexpr (kind == schedule::kind::independent) {
    realise_independent<Schedule>(at, e, destination);
  } else if constexpr (kind == schedule::kind::cooperative) {
    realise_cooperative<Schedule>(at, e, destination);
  } else if constexpr ((row_reduce_node<E> || row_by_key_node<E>) &&
                       !schedule::is_sequential_v<inner>) {
    if (e.source.size() == 0) {
      realise_in_thread<Schedule>(e, destination, {});
    } else {
      reduce_columns_by_key_on_team(at.inner(at.threads()), as_by_key(e), destination);
    }
  } else if constexpr (nested_node<E> && !schedule::is_sequential_v<inner>) {
    realise_one_by_one<Schedule>(at, e, destination);
  } else {
    realise_in_thread<Schedule>(e, destination, at.unrolled());
  }
}

}  // namespace fettle::ndp::host::detail
