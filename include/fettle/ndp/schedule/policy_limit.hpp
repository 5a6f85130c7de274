// The limits of a platform's policies, one by one. A platform lists them in its visit_limits(),
// with the fields that each reads: violation() finds the first that a policy breaks, and the tuner
// cuts its search space by each as soon as those fields have values.
#pragma once

#include <initializer_list>
#include <string_view>

#include <fettle/core/abi.hpp>

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

/// How many iterations of a sequential loop a policy may have written out one after the other.
[[nodiscard]] constexpr bool is_unroll_factor(int factor) noexcept {
  return factor >= 0 && factor <= 8 && (factor & (factor - 1)) == 0;
}
inline constexpr std::string_view unroll_factors_allowed =
    "unroll must be 1, 2, 4 or 8, or 0 for the compiler's choice";

}  // namespace fettle::ndp::detail
