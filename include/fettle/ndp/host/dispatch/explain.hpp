// explain: which branch of default_rule.hpp a computation takes, and the numbers that decide it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/default_rule.hpp>
#include <fettle/ndp/host/dispatch/worth_team.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/host/rows/packed_columns.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/columns.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

inline constexpr std::string_view rows_in_chunks =
    "independent: rows in chunks as threads are free";

/// What a team does with a computation that is worth one.
template <typename E>
[[nodiscard]] std::string_view team_kernel(const E& e, index_t elements, int threads) {
  if constexpr (!elements_node<E> && !scatter_node<E>) {
    return row_reduce_node<E> || row_by_key_node<E> || splits_v<E>
               ? "cooperative: a part for each thread, combined"
               : "the calling thread: partial results of this operator do not combine";
  } else if constexpr (light_rows<E> && goes_down_v<E>) {
    return "independent: some columns at a time, in the order of memory";
  } else if constexpr (with_packed_columns<E>::found && !columns_node<E>) {
    return "independent: some columns at a time, long ones copied to be contiguous";
  } else if constexpr (nested_node<E>) {
    if constexpr (flattenable<E>) {
      if (follows_shape(e)) return "flattened: equal tiles of rows and elements";
    } else if constexpr (evenly_cut<E>) {
      if (follows_shape(e)) return "independent: equal tiles of the elements, also inside a row";
    }
    if constexpr (columns_node<E>) {
      if constexpr (team_reducible<row_t<E>>) {
        if (shares_columns(e, threads)) return "cooperative: a part of all columns for each thread";
      }
      return "independent: equal parts of the columns";
    }
    using inner = typename row_schedule<row_t<E>>::type;
    if constexpr (!std::is_same_v<inner, schedule::none>) {
      if (e.size() < threads && elements >= e.size() * few_elements) {
        return "sequential: one row after the other, each by the team";
      }
    }
    return rows_in_chunks;
  } else {
    return "independent: equal parts";
  }
}

/// What decides the default rule, and what it comes to.
struct default_choice {
  index_t elements;
  index_t least;  // elements for which a team starts at once
  int threads;
  bool is_cheap;  // no element may be expensive
  bool measures;  // where a team starts, an element is measured before
  std::string_view kernel = {};
  index_t chunk = 0;  // rows at a time; 0: divided otherwise
};

[[nodiscard, gnu::cold]] inline std::string text_of(const default_choice& its) {
  std::string text = std::to_string(its.elements) + " elements; a team of " +
                     std::to_string(its.threads) + " threads starts from " +
                     std::to_string(its.least) + " elements on\n  chosen: ";
  if (its.threads > 1 && its.elements >= its.least) {
    text += its.kernel;
    if (its.measures) text += ", after the calling thread has measured what an element takes";
    if (its.chunk > 0) text += ", " + std::to_string(its.chunk) + " at a time";
  } else if (its.threads > 1 && !its.is_cheap) {
    text +=
        "the calling thread, which measures what an element takes; the team takes the rest if "
        "that is more than " +
        std::to_string(static_cast<int>(2e6 * team_start.count())) + " us";
  } else {
    text += "the calling thread";
  }
  return text;
}

/// The default rule's choice for `e`, in words and numbers.
template <team_like Team, typename E>
[[nodiscard, gnu::cold]] std::string explain_default(const E& e) {
  constexpr bool is_cheap = [] {
    if constexpr (scalar_reduce_node<E>)
      return is_cheap_v<std::remove_cvref_t<decltype(E::source)>>;
    else
      return !elements_node<E> || is_cheap_v<E>;
  }();
  const typename Team::policy_type chosen;
  default_choice its{.elements = elements_of(e),
                     .least = grain<E>(),
                     .threads = Team(chosen).threads(),
                     .is_cheap = is_cheap,
                     .measures = !is_cheap && elements_node<E> && !nested_node<E>};
  its.kernel = team_kernel(e, its.elements, its.threads);
  if constexpr (nested_node<E>) {
    if (its.kernel == rows_in_chunks) {
      its.chunk = rows_in_chunk(e.size(), its.elements, its.threads, rows_in_group<E>());
    }
  }
  return text_of(its);
}

}  // namespace fettle::ndp::host::detail
