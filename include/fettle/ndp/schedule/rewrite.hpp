// The rewrite rules of schedules, and the strength relation that they define.
//
//   independent              ->  sequential
//   cooperative              ->  sequential
//   independent>cooperative  ->  flattened                on a map directly followed by reduce or
//   scan flattened                ->  sequential>sequential
//
// A rule is applied at one index of a schedule at a time. The first two are the paper's (section
// 3.2), the others order Fettle's flattened: it needs what independent>cooperative needs, and one
// thread can walk the same elements in order. A schedule is stronger than another that rules can
// turn it into; an operator that may have a schedule may have every weaker one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

/// One rule: what stands before, and what replaces it. `none` fills the shorter sides.
struct rewrite_rule {
  kind from[2];
  kind to[2];
  bool where_flattened_may_start = false;

  [[nodiscard]] constexpr int length() const noexcept { return from[1] == kind::none ? 1 : 2; }
};

inline constexpr rewrite_rule rewrite_rules[] = {
    {{kind::independent, kind::none}, {kind::sequential, kind::none}},
    {{kind::cooperative, kind::none}, {kind::sequential, kind::none}},
    {{kind::independent, kind::cooperative}, {kind::flattened, kind::none}, true},
    {{kind::flattened, kind::none}, {kind::sequential, kind::sequential}},
};

/// Whether `rule` can be applied at `index`, which counts from 0.
[[nodiscard]] constexpr bool applies(const rewrite_rule& rule, const nodes& to,
                                     int index) noexcept {
  if (index + rule.length() > to.count) return false;
  for (int i = 0; i < rule.length(); ++i) {
    if (to[index + i] != rule.from[i]) return false;
  }
  return true;
}

/// `before` with `rule` applied at `index`.
[[nodiscard]] constexpr nodes rewritten(const nodes& before, const rewrite_rule& rule,
                                        int index) noexcept {
  nodes after;
  for (int i = 0; i < index; ++i) after.push_back(before[i]);
  for (const kind next : rule.to) {
    if (next != kind::none) after.push_back(next);
  }
  for (int i = index + rule.length(); i < before.count; ++i) after.push_back(before[i]);
  return after;
}

/// Codes of schedules, strongest first.
struct schedule_codes {
  static constexpr int capacity = 1024;

  std::array<std::uint64_t, capacity> code{};
  int count = 0;

  [[nodiscard]] constexpr bool contains(std::uint64_t wanted) const noexcept {
    for (int i = 0; i < count; ++i) {
      if (code[static_cast<std::size_t>(i)] == wanted) return true;
    }
    return false;
  }
  constexpr void insert(std::uint64_t next) {
    if (!contains(next)) code[static_cast<std::size_t>(count++)] = next;
  }
};

/// The strongest schedule of an expression and everything that the rules make of it. Bit n of
/// `flattened_starts`: a map directly followed by a reduce or scan is at level n + 1.
[[nodiscard]] constexpr schedule_codes closure(const nodes& strongest,
                                               std::uint32_t flattened_starts) {
  schedule_codes out;
  out.insert(strongest.code());
  for (int i = 0; i < out.count; ++i) {  // `out` grows meanwhile
    const nodes from = nodes::of_code(out.code[static_cast<std::size_t>(i)]);
    // From the innermost index outwards, so that the outer levels stay parallel longest.
    int level = from.levels();
    for (int index = from.count; index-- > 0;) {
      level -= levels_covered(from[index]);
      for (const rewrite_rule& rule : rewrite_rules) {
        if (!applies(rule, from, index)) continue;
        if (rule.where_flattened_may_start && (flattened_starts >> level & 1) == 0) continue;
        out.insert(rewritten(from, rule, index).code());
      }
    }
  }
  return out;
}

namespace detail {

// Whether the rules turn `strong`, from index s on, into `weak`, from index w on, in no or more
// steps. Levels that one of them leaves out are sequential.
[[nodiscard]] constexpr bool is_reachable(const nodes& weak, int w, const nodes& strong, int s) {
  const auto node = [](const nodes& from, int index) {
    return index < from.count ? from[index] : kind::sequential;
  };
  if (w >= weak.count && s >= strong.count) return true;
  const kind to = node(weak, w);
  const kind from = node(strong, s);
  if (to == kind::flattened && from != kind::flattened) {
    return from == kind::independent && node(strong, s + 1) == kind::cooperative &&
           is_reachable(weak, w + 1, strong, s + 2);
  }
  if (from == kind::flattened && to != kind::flattened) {
    return to == kind::sequential && node(weak, w + 1) == kind::sequential &&
           is_reachable(weak, w + 2, strong, s + 1);
  }
  return (to == from || to == kind::sequential) && is_reachable(weak, w + 1, strong, s + 1);
}

}  // namespace detail

/// `weak` is `strong` or weaker: rules turn `strong` into it. Of which operators the levels are is
/// not asked.
[[nodiscard]] constexpr bool is_weaker_or_same(const nodes& weak, const nodes& strong) {
  return detail::is_reachable(weak, 0, strong, 0);
}

/// `weak` is weaker than `strong`.
[[nodiscard]] constexpr bool is_weaker(const nodes& weak, const nodes& strong) {
  return is_weaker_or_same(weak, strong) && !is_weaker_or_same(strong, weak);
}

}  // namespace fettle::ndp::schedule
