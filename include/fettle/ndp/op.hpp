// Operator tags and the expression sequence: a nested computation as a compile-time list.
//
// A tag stands for one operator of the layer. `expression<op::map, op::reduce>` is the sequence
// "map>reduce", outermost operator first; schedules, parameters and constraints are decided from it
// alone, so this file knows neither sequences nor operators.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace fettle::ndp {

namespace op {

// clang-format off
struct map           { static constexpr std::string_view name = "map"; };
struct reduce        { static constexpr std::string_view name = "reduce"; };
struct reduce_by_key { static constexpr std::string_view name = "reduce_by_key"; };
struct scan          { static constexpr std::string_view name = "scan"; };
struct gather        { static constexpr std::string_view name = "gather"; };
struct scatter       { static constexpr std::string_view name = "scatter"; };
struct range         { static constexpr std::string_view name = "range"; };
struct replicate     { static constexpr std::string_view name = "replicate"; };
struct zip           { static constexpr std::string_view name = "zip"; };
struct split         { static constexpr std::string_view name = "split"; };
struct cyclic        { static constexpr std::string_view name = "cyclic"; };
struct join          { static constexpr std::string_view name = "join"; };
struct striding      { static constexpr std::string_view name = "striding"; };
struct reverse       { static constexpr std::string_view name = "reverse"; };
struct nest          { static constexpr std::string_view name = "nest"; };
struct transpose     { static constexpr std::string_view name = "transpose"; };
// clang-format on

}  // namespace op

/// A type that stands for an operator: it has a name.
template <typename Op>
concept operator_tag = requires {
  { Op::name } -> std::convertible_to<std::string_view>;
};

/// The operators of a nested computation, outermost first.
template <operator_tag... Ops>
struct expression {
  static constexpr int size = sizeof...(Ops);
};

template <typename T>
inline constexpr bool is_expression_v = false;
template <typename... Ops>
inline constexpr bool is_expression_v<expression<Ops...>> = true;

/// An expression<...>.
template <typename T>
concept expression_sequence = is_expression_v<T>;

namespace detail {

template <typename... Ops>
std::string expression_text(expression<Ops...> /*tag*/) {
  std::string out;
  for (const std::string_view name : {std::string_view(), std::string_view(Ops::name)...}) {
    if (!out.empty()) out += '>';
    out += name;
  }
  return out;
}

}  // namespace detail

/// The expression's text form: "map>reduce".
template <expression_sequence Expression>
[[nodiscard]] std::string to_string() {
  return detail::expression_text(Expression{});
}

}  // namespace fettle::ndp
