// The schedule lookup table (the paper's table III): the strongest schedule of every operator, and
// with it the nesting levels of an expression.
//
// clang-format off
//   | operators                                            | strongest schedule      | levels |
//   |------------------------------------------------------|-------------------------|--------|
//   | map, gather, scatter, range, replicate, zip, join,   | independent             | 1      |
//   | striding, reverse                                    |                         |        |
//   | split, cyclic, nest, windows, grid, halo, transpose  | independent>independent | 2      |
//   | reduce, reduce_by_key, scan, inclusive_scan, filter, | cooperative             | 1      |
//   | partition, unique, runs_by_key, reduce_by_index,     |                         |        |
//   | sort, sort_by_key, a row program                     |                         |        |
// clang-format on
//
// windows, grid, halo and transpose are missing in the paper's table; they make nested sequences as
// split and cyclic do, and have the same strongest schedule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

namespace detail {

using element_wise = type_list<op::map, op::gather, op::scatter, op::range, op::replicate, op::zip,
                               op::join, op::striding, op::reverse>;
using nesting =
    type_list<op::split, op::cyclic, op::nest, op::windows, op::grid, op::halo, op::transpose>;
using combining = type_list<op::reduce, op::reduce_by_key, op::scan, op::inclusive_scan, op::filter,
                            op::partition, op::unique, op::runs_by_key, op::reduce_by_index,
                            op::sort, op::sort_by_key, op::row_program>;

// Op once for each level that it yields.
template <typename Op>
using levels_of_operator =
    std::conditional_t<contains_v<nesting, Op>, type_list<Op, Op>, type_list<Op>>;

template <typename... Lists>
struct concat;
template <>
struct concat<> {
  using type = type_list<>;
};
template <typename... First, typename... Rest>
struct concat<type_list<First...>, Rest...> {
  template <typename... More>
  static auto joined(type_list<More...>) -> type_list<First..., More...>;
  using type = decltype(joined(typename concat<Rest...>::type{}));
};

template <typename Expression>
struct operators_by_level;
template <typename... Ops>
struct operators_by_level<expression<Ops...>> {
  using type = typename concat<levels_of_operator<Ops>...>::type;
};

}  // namespace detail

/// The strongest schedule of one level of an operator.
template <operator_tag Op>
[[nodiscard]] consteval kind strongest_kind() {
  if constexpr (contains_v<detail::element_wise, Op> || contains_v<detail::nesting, Op>) {
    return kind::independent;
  } else {
    static_assert(contains_v<detail::combining, Op>,
                  "This operator has no line in the schedule lookup table "
                  "(fettle/ndp/schedule/lookup.hpp): add it to the table's lists");
    return kind::cooperative;
  }
}

/// The operators of an expression, one a level: split stands for two.
template <expression_sequence Expression>
using operators_by_level_t = typename detail::operators_by_level<Expression>::type;

/// What the rules have to know about one nesting level.
struct expression_level {
  std::string_view operator_name;
  kind strongest = kind::none;
  bool starts_flattened = false;  // a map directly followed by a reduce or scan
};

/// The nesting levels of an expression, outermost first.
struct expression_levels {
  std::array<expression_level, nodes::capacity> level{};
  int count = 0;

  /// `number` counts from 1.
  [[nodiscard]] constexpr const expression_level& operator[](int number) const noexcept {
    return level[static_cast<std::size_t>(number - 1)];
  }
  /// The strongest schedule: the lookup table's line of each level.
  [[nodiscard]] constexpr nodes strongest() const noexcept {
    nodes out;
    for (int i = 1; i <= count; ++i) out.push_back((*this)[i].strongest);
    return out;
  }
  /// Bit n: a flattened schedule may start at level n + 1.
  [[nodiscard]] constexpr std::uint32_t flattened_starts() const noexcept {
    std::uint32_t out = 0;
    for (int i = 1; i <= count; ++i) {
      if ((*this)[i].starts_flattened) out |= std::uint32_t{1} << (i - 1);
    }
    return out;
  }
};

namespace detail {

template <typename Op>
inline constexpr bool is_flattened_inner_v =
    std::is_same_v<Op, op::reduce> || std::is_same_v<Op, op::scan> ||
    std::is_same_v<Op, op::inclusive_scan>;

template <typename... Ops>
[[nodiscard]] consteval expression_levels levels_of(type_list<Ops...> /*by_level*/) {
  static_assert(sizeof...(Ops) > 0, "An expression needs at least one operator");
  static_assert(sizeof...(Ops) <= nodes::capacity, "An expression has 16 nesting levels at most");
  expression_levels out;
  if constexpr (sizeof...(Ops) > 0 && sizeof...(Ops) <= nodes::capacity) {
    constexpr bool is_map[] = {std::is_same_v<Ops, op::map>...};
    constexpr bool is_inner[] = {is_flattened_inner_v<Ops>..., false};
    ((out.level[static_cast<std::size_t>(out.count++)] = {.operator_name = Ops::name,
                                                          .strongest = strongest_kind<Ops>()}),
     ...);
    for (std::size_t i = 0; i < sizeof...(Ops); ++i) {
      out.level[i].starts_flattened = is_map[i] && is_inner[i + 1];
    }
  }
  return out;
}

}  // namespace detail

/// The levels of an expression as a value.
template <expression_sequence Expression>
inline constexpr expression_levels levels_v = detail::levels_of(operators_by_level_t<Expression>{});

}  // namespace fettle::ndp::schedule
