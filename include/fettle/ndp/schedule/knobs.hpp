// knobs: the parameters of a policy that change what is computed, within an error that is measured.
//
//   openmp::policy{.sample = 4}         a reduce reads every fourth tile of its elements
//   openmp::policy{.perforate = 2}      a map computes every second result and repeats it
//   openmp::policy{.accumulation = precision::single}   a sum of doubles is one of floats
//
// Every policy is exact unless one of them is set. They act on the expression, before a kernel sees
// it (shape/approximated.hpp), and are part of the type: with a schedule and a policy by hand they
// are given as a constant. A tuner tries them where a bound on the error is given.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// In what reductions add up: `full`, the type of their operator's results; `single`, float.
enum class precision : std::uint8_t { full, single };

[[nodiscard]] constexpr auto names_of(precision /*any*/) noexcept {
  return std::array<std::string_view, 2>{"full", "single"};
}

/// The knobs of a policy, by themselves.
struct knobs {
  int sample = 1;
  int perforate = 1;
  precision accumulation = precision::full;

  [[nodiscard]] constexpr bool are_exact() const noexcept { return *this == knobs{}; }
  [[nodiscard]] friend constexpr bool operator==(const knobs&, const knobs&) = default;
};

/// A policy that has them.
template <typename P>
concept policy_with_knobs = policy_like<P> && requires(const P& p) {
  p.sample;
  p.perforate;
  p.accumulation;
};

/// Those that a policy sets; exact where it has none.
template <policy_like P>
[[nodiscard]] constexpr knobs knobs_of(const P& p) noexcept {
  if constexpr (policy_with_knobs<P>) {
    return {p.sample, p.perforate, p.accumulation};
  } else {
    return {};
  }
}

/// Those in the type of what execute() is given: of a policy that is a value, none.
template <policy_argument Policy>
[[nodiscard]] consteval knobs knobs_in() {
  if constexpr (constant_policy<Policy>) {
    return knobs_of(Policy::value);
  } else {
    return {};
  }
}

namespace detail {

/// The knobs among the fields of a policy, if it has them.
template <typename Policy, typename Visit>
constexpr void visit_knobs(Policy& p, Visit& visit) {
  if constexpr (requires { p.sample; }) {
    visit(0, "sample", "sample", p.sample);
    visit(0, "perforate", "perforate", p.perforate);
    visit(0, "accumulation", "accumulation", p.accumulation);
  }
}

/// Calls visit(fields, holds, reason) for every limit of the knobs.
template <policy_with_knobs P, typename Visit>
constexpr void visit_knob_limits(const P& p, const schedule::nodes& nodes, Visit& visit) {
  visit({"sample"}, p.sample >= 1, "sample must be 1 or more: every how many tiles are read");
  visit({"perforate"}, p.perforate >= 1,
        "perforate must be 1 or more: every how many results are computed");
  bool has_flattened = false;
  for (const schedule::kind node : nodes) {
    has_flattened = has_flattened || node == schedule::kind::flattened;
  }
  visit({"perforate"}, p.perforate <= 1 || !has_flattened,
        "flattened takes rows that are contiguous, and perforate leaves some of them out");
}

}  // namespace detail

}  // namespace fettle::ndp
