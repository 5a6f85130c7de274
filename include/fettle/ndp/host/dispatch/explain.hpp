// explain: which branch of default_rule.hpp a computation takes, and the numbers that decide it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/default_rule.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// What a team does with a computation that is worth one.
template <typename E>
[[nodiscard]] std::string_view team_kernel(const E& e, index_t elements, int threads) {
  if constexpr (!elements_node<E> && !scatter_node<E>) {
    return row_reduce_node<E> || row_by_key_node<E> || splits_v<E>
               ? "cooperative: a part for each thread, combined"
               : "the calling thread: partial results of this operator do not combine";
  } else if constexpr (nested_node<E>) {
    if constexpr (flattenable<E>) {
      if (follows_shape(e)) return "flattened: equal tiles of rows and elements";
    } else if constexpr (evenly_cut<E>) {
      if (follows_shape(e)) return "independent: equal tiles of the elements, also inside a row";
    }
    using inner = typename row_schedule<row_t<E>>::type;
    if constexpr (!std::is_same_v<inner, schedule::none>) {
      if (e.size() < threads && elements >= e.size() * few_elements) {
        return "sequential: one row after the other, each by the team";
      }
    }
    return "independent: rows in small chunks, as threads are free";
  } else {
    return "independent: equal parts";
  }
}

/// The default rule's choice for `e`, in words and numbers.
template <team_like Team, typename E>
[[nodiscard]] std::string explain_default(const E& e) {
  const typename Team::policy_type chosen;
  const int threads = Team(chosen).threads();
  const index_t elements = elements_of(e);
  constexpr index_t least = grain<E>();
  constexpr bool cheap = [] {
    if constexpr (scalar_reduce_node<E>)
      return is_cheap_v<std::remove_cvref_t<decltype(E::source)>>;
    else
      return !elements_node<E> || is_cheap_v<E>;
  }();
  std::string text = std::to_string(elements) + " elements; a team of " + std::to_string(threads) +
                     " threads starts from " + std::to_string(least) + " elements on\n  chosen: ";
  if (threads > 1 && elements >= least) {
    text += team_kernel(e, elements, threads);
    if (!cheap && elements_node<E> && !nested_node<E>) {
      text += ", after the calling thread has measured what an element takes";
    }
  } else if (threads > 1 && !cheap) {
    text +=
        "the calling thread, which measures what an element takes; the team takes the rest if "
        "that is more than " +
        std::to_string(static_cast<int>(2e6 * team_start.count())) + " us";
  } else {
    text += "the calling thread";
  }
  return text;
}

}  // namespace fettle::ndp::host::detail
