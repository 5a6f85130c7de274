// What is wrong with a schedule for an expression, in a sentence: "reduce at level 2 cannot be
// independent: use cooperative or sequential".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/schedule/lookup.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

/// The outermost level whose schedule does not fit its operator. False where all of them do.
struct violation {
  int level = 0;                   // counts from 1; 0: there is no violation
  std::string_view operator_name;  // empty: the expression has no such level
  std::string_view schedule_name;
  std::string_view allowed;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return level != 0; }
  [[nodiscard]] friend constexpr bool operator==(const violation&, const violation&) = default;
};

[[nodiscard]] constexpr std::string_view allowed_for(kind strongest) noexcept {
  return strongest == kind::cooperative ? "cooperative or sequential" : "independent or sequential";
}

/// Holds a schedule against the levels of an expression.
[[nodiscard]] constexpr violation first_violation(const nodes& schedule,
                                                  const expression_levels& levels) {
  int level = 1;
  for (const kind node : schedule) {
    if (level > levels.count) return {level, {}, to_string(node), {}};
    const expression_level& here = levels[level];
    const bool fits = node == kind::flattened ? here.starts_flattened
                                              : node == here.strongest || node == kind::sequential;
    if (!fits) {
      return {level, here.operator_name, to_string(node), allowed_for(here.strongest)};
    }
    level += levels_covered(node);
  }
  return {};
}

/// Why S is not valid for Expression; no violation where it is.
template <schedule_like S, expression_sequence Expression>
[[nodiscard]] constexpr violation first_violation() {
  return first_violation(nodes_v<S>, levels_v<Expression>);
}

namespace detail {

// Text for a message, put together at compile time.
struct sentence {
  char text[192]{};

  constexpr sentence& operator<<(std::string_view part) {
    std::size_t end = std::string_view(text).size();
    for (const char c : part) text[end++] = c;
    return *this;
  }
  [[nodiscard]] constexpr std::string_view view() const { return text; }
};

[[nodiscard]] constexpr sentence sentence_of(const violation& found) {
  if (!found) return {};
  const char digits[] = {static_cast<char>('0' + found.level / 10),
                         static_cast<char>('0' + found.level % 10)};
  const bool two_digits = found.level >= 10;
  const std::string_view level(digits + (two_digits ? 0 : 1), two_digits ? 2 : 1);
  sentence out;
  if (found.operator_name.empty()) {
    return out << "the expression has no level " << level << " that could be "
               << found.schedule_name << ": leave it out";
  }
  out << found.operator_name << " at level " << level << " cannot be " << found.schedule_name
      << ": use " << found.allowed;
  if (found.schedule_name == to_string(kind::flattened)) {
    out << " (flattened is for a map directly followed by reduce or scan)";
  }
  return out;
}

// The operator at a level, which counts from 1, as a type.
struct no_operator {
  static constexpr std::string_view name = "";
};
template <typename Operators, int Level>
struct operator_at {
  using type = no_operator;
};
template <typename Operators, int Level>
  requires(static_cast<std::size_t>(Level) <= Operators::size)
struct operator_at<Operators, Level> {
  using type = type_at_t<Operators, static_cast<std::size_t>(Level) - 1>;
};

template <typename Op>
inline constexpr bool stands_alone =
    contains_v<type_list<op::filter, op::partition, op::unique, op::runs_by_key,
                         op::reduce_by_index, op::sort, op::sort_by_key>,
               Op>;

// Its name and arguments are part of what every compiler prints; GCC prints the sentence too.
template <int Level, typename Operator, kind Schedule, sentence Sentence>
struct schedule_is_not_valid_at_level {
  static_assert(!std::is_same_v<Operator, no_operator>,
                "the schedule has more levels than the expression: leave out those below the "
                "expression's innermost operator");
  static_assert(Schedule != kind::flattened,
                "a flattened schedule is for a map directly followed by reduce or scan: at this "
                "level use independent or cooperative, whichever the operator allows, or "
                "sequential");
  static_assert(!(std::is_same_v<Operator, op::reduce> && Schedule == kind::independent),
                "reduce cannot be independent at this level: use cooperative or sequential");
  static_assert(!(std::is_same_v<Operator, op::reduce_by_key> && Schedule == kind::independent),
                "reduce_by_key cannot be independent at this level: use cooperative or sequential");
  static_assert(!(std::is_same_v<Operator, op::scan> && Schedule == kind::independent),
                "scan cannot be independent at this level: use cooperative or sequential");
  static_assert(
      !(std::is_same_v<Operator, op::inclusive_scan> && Schedule == kind::independent),
      "inclusive_scan cannot be independent at this level: use cooperative or sequential");
  static_assert(!stands_alone<Operator> || Schedule != kind::independent,
                "filter, partition, unique, runs_by_key, reduce_by_index, sort and sort_by_key "
                "cannot be independent at this level: use cooperative or sequential");
  static_assert(!(std::is_same_v<Operator, op::map> && Schedule == kind::cooperative),
                "map cannot be cooperative at this level: use independent or sequential");
  static_assert(std::is_same_v<Operator, op::map> || Schedule != kind::cooperative,
                "this operator cannot be cooperative at this level: use independent or sequential");
};

}  // namespace detail

/// The violation as a sentence; empty where there is none.
[[nodiscard]] inline std::string to_string(const violation& found) {
  return std::string(detail::sentence_of(found).view());
}

/// Whether S is valid for Expression; an error that says why where it is not.
template <schedule_like S, expression_sequence Expression>
constexpr bool require_valid() {
  constexpr violation found = first_violation<S, Expression>();
  if constexpr (static_cast<bool>(found)) {
    constexpr kind node = nodes_v<S>.at_level(found.level);
    using operators = operators_by_level_t<Expression>;
    using message = detail::schedule_is_not_valid_at_level<
        found.level, typename detail::operator_at<operators, found.level>::type, node,
        detail::sentence_of(found)>;
    static_cast<void>(sizeof(message));
  }
  return !static_cast<bool>(found);
}

}  // namespace fettle::ndp::schedule
