// The limits of a platform's policies, one by one. A platform lists them in its visit_limits(),
// with the fields that each reads: violation() finds the first that a policy breaks, and the tuner
// cuts its search space by each as soon as those fields have values.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// The names of a policy's fields. One of the levels' stands for all levels that have it.
using field_names = std::initializer_list<std::string_view>;

/// A visitor of limits: keeps the reason of the first that does not hold; empty where all do.
struct first_broken_limit {
  std::string_view reason{};

  constexpr void operator()(field_names /*read*/, bool holds, std::string_view why) noexcept {
    if (!holds && reason.empty()) reason = why;
  }
};

/// A schedule as a type or as a value.
template <typename T>
concept schedule_or_nodes = schedule::schedule_like<T> || std::same_as<T, schedule::nodes>;

/// The reason of the first limit that a policy breaks; empty where it keeps all. The schedule is a
/// type or its nodes; `context` is what the platform's visit_limits() takes beside.
template <typename Policy, schedule_or_nodes S, typename... Context>
[[nodiscard]] constexpr std::string_view broken_limit(const Policy& p, const S& given,
                                                      const Context&... context) noexcept {
  first_broken_limit found;
  if constexpr (schedule::schedule_like<S>) {
    visit_limits(p, schedule::nodes_v<S>, context..., found);
  } else {
    visit_limits(p, given, context..., found);
  }
  return found.reason;
}

/// How many iterations of a sequential loop a policy may have written out one after the other.
[[nodiscard]] constexpr bool is_unroll_factor(int factor) noexcept {
  return factor >= 0 && factor <= 8 && (factor & (factor - 1)) == 0;
}
inline constexpr std::string_view unroll_factors_allowed =
    "unroll must be 1, 2, 4 or 8, or 0 for the compiler's choice";

}  // namespace fettle::ndp::detail
