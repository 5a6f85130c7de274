// Operator tags and the expression sequence: a nested computation as a compile-time list.
//
// A tag stands for one operator of the layer. `expression<op::map, op::reduce>` is the sequence
// "map>reduce", outermost operator first; schedules, parameters and constraints are decided from it
// alone, so this file knows neither sequences nor operators.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace op {

// clang-format off
struct map             { static constexpr std::string_view name = "map"; };
struct reduce          { static constexpr std::string_view name = "reduce"; };
struct reduce_by_key   { static constexpr std::string_view name = "reduce_by_key"; };
struct scan            { static constexpr std::string_view name = "scan"; };
struct inclusive_scan  { static constexpr std::string_view name = "inclusive_scan"; };
struct filter          { static constexpr std::string_view name = "filter"; };
struct partition       { static constexpr std::string_view name = "partition"; };
struct unique          { static constexpr std::string_view name = "unique"; };
struct runs_by_key     { static constexpr std::string_view name = "runs_by_key"; };
struct reduce_by_index { static constexpr std::string_view name = "reduce_by_index"; };
struct sort            { static constexpr std::string_view name = "sort"; };
struct sort_by_key     { static constexpr std::string_view name = "sort_by_key"; };
struct gather          { static constexpr std::string_view name = "gather"; };
struct scatter         { static constexpr std::string_view name = "scatter"; };
struct range           { static constexpr std::string_view name = "range"; };
struct replicate       { static constexpr std::string_view name = "replicate"; };
struct zip             { static constexpr std::string_view name = "zip"; };
struct split           { static constexpr std::string_view name = "split"; };
struct cyclic          { static constexpr std::string_view name = "cyclic"; };
struct join            { static constexpr std::string_view name = "join"; };
struct striding        { static constexpr std::string_view name = "striding"; };
struct reverse         { static constexpr std::string_view name = "reverse"; };
struct nest            { static constexpr std::string_view name = "nest"; };
struct grid            { static constexpr std::string_view name = "grid"; };
struct halo            { static constexpr std::string_view name = "halo"; };
struct windows         { static constexpr std::string_view name = "windows"; };
struct transpose       { static constexpr std::string_view name = "transpose"; };
struct row_program     { static constexpr std::string_view name = "row_program"; };
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

/// `names` with '>' between them, in a buffer of their exact length.
template <std::size_t Length>
[[nodiscard]] consteval std::array<char, Length> joined_by_arrow(
    std::initializer_list<std::string_view> names) {
  std::array<char, Length> out{};
  std::size_t end = 0;
  for (const std::string_view name : names) {
    if (end != 0) out[end++] = '>';
    for (const char c : name) out[end++] = c;
  }
  return out;
}

template <typename Expression>
struct expression_text {
  static constexpr std::array<char, 0> characters{};
};
template <typename... Ops>
  requires(sizeof...(Ops) > 0)
struct expression_text<expression<Ops...>> {
  static constexpr std::size_t length =
      (std::string_view(Ops::name).size() + ...) + sizeof...(Ops) - 1;
  static constexpr auto characters = joined_by_arrow<length>({std::string_view(Ops::name)...});
};

}  // namespace detail

/// The expression's text form, "map>reduce". It lives as long as the program.
template <expression_sequence Expression>
[[nodiscard]] constexpr std::string_view to_string() noexcept {
  using text = detail::expression_text<Expression>;
  return {text::characters.data(), text::characters.size()};
}

}  // namespace fettle::ndp
