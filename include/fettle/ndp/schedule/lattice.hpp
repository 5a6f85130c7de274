// The lattice of schedules: for an expression the strongest one, all that are weaker, and those of
// them that a platform can implement. All of it at compile time, from operator tags alone.
//
//   using spmv = expression<op::map, op::reduce>;
//   schedule::strongest_t<spmv>                     independent<cooperative<>>
//   schedule::weaker_t<spmv>                        type_list of it, independent<sequential<>>,
//                                                   flattened<>, sequential<cooperative<>> and
//                                                   sequential<sequential<>>
//   schedule::valid_t<spmv, platform::cuda>              those that CUDA can implement
//   schedule::is_valid_v<independent<>, spmv>            true: levels left out are sequential
//   schedule::first_violation<independent<independent<>>, spmv>()    says why not
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/schedule/limit.hpp>
#include <fettle/ndp/schedule/lookup.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/schedule/rewrite.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/schedule/violation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

namespace detail {

// Found once for all expressions whose levels are alike.
template <std::uint64_t Strongest, std::uint32_t FlattenedStarts>
struct weaker {
  static constexpr schedule_codes codes = closure(nodes::of_code(Strongest), FlattenedStarts);
};

template <typename Platform>
[[nodiscard]] constexpr schedule_codes implementable_of(const schedule_codes& all) {
  schedule_codes out;
  for (int i = 0; i < all.count; ++i) {
    const std::uint64_t code = all.code[static_cast<std::size_t>(i)];
    const nodes schedule = nodes::of_code(code);
    if (platform_traits<Platform>::schedule_limit(schedule) == limit::none) out.insert(code);
  }
  return out;
}

template <typename Weaker, typename Platform>
struct implementable {
  static constexpr schedule_codes codes = implementable_of<Platform>(Weaker::codes);
};

// `Source::codes` as types.
template <typename Source, std::size_t... Places>
auto schedules_of(std::index_sequence<Places...>)
    -> type_list<schedule_of_t<Source::codes.code[Places]>...>;
template <typename Source>
using schedules_of_t = decltype(schedules_of<Source>(
    std::make_index_sequence<static_cast<std::size_t>(Source::codes.count)>{}));

template <typename Expression>
struct shape {
  static constexpr std::uint64_t strongest = levels_v<Expression>.strongest().code();
  static constexpr std::uint32_t flattened_starts = levels_v<Expression>.flattened_starts();
  using weaker_type = weaker<strongest, flattened_starts>;
};

}  // namespace detail

/// The strongest schedule of an expression: the lookup table's lines of its operators.
template <expression_sequence Expression>
using strongest_t = schedule_of_t<detail::shape<Expression>::strongest>;

/// A type_list of all schedules that are valid for an expression: the strongest and what the
/// rewrite rules make of it, strongest first.
template <expression_sequence Expression>
using weaker_t = detail::schedules_of_t<typename detail::shape<Expression>::weaker_type>;

/// Those of weaker_t that the platform can implement.
template <expression_sequence Expression, platform_like Platform>
using valid_t = detail::schedules_of_t<
    detail::implementable<typename detail::shape<Expression>::weaker_type, Platform>>;

/// S is one of weaker_t, or would be with `sequential` for the levels that it leaves out.
template <typename S, typename Expression>
inline constexpr bool is_valid_v = false;
template <schedule_like S, expression_sequence Expression>
inline constexpr bool is_valid_v<S, Expression> = !first_violation<S, Expression>();

/// The rewrite rules turn Strong into Weak. Strict: no schedule is weaker than itself.
template <schedule_like Weak, schedule_like Strong>
inline constexpr bool is_weaker_v = is_weaker(nodes_v<Weak>, nodes_v<Strong>);

/// Why Platform cannot implement S; limit::none where it can.
template <schedule_like S, platform_like Platform>
inline constexpr limit limit_v = platform_traits<Platform>::schedule_limit(nodes_v<S>);

namespace detail {

template <typename Platform, typename S, limit Why>
struct schedule_cannot_be_implemented {
  static_assert(Why != limit::parallel_below_level_2,
                "this schedule cannot be implemented on this platform: a GPU has two parallel "
                "levels, so every level below level 2 must be sequential");
  static_assert(Why != limit::parallel_below_flattened,
                "this schedule cannot be implemented: flattened uses all resources, so every level "
                "below it must be sequential");
  static_assert(Why != limit::flattened_not_outermost,
                "this schedule cannot be implemented: flattened must be the outermost schedule");
};

}  // namespace detail

/// Whether Platform can implement S; an error that says why where it cannot.
template <schedule_like S, expression_sequence Expression, platform_like Platform>
constexpr bool require_implementable() {
  if constexpr (has_unknown_traits<Platform>) {
    return false;  // which is an error already
  } else {
    constexpr limit why = limit_v<S, Platform>;
    if constexpr (why != limit::none) {
      static_cast<void>(sizeof(detail::schedule_cannot_be_implemented<Platform, S, why>));
    }
    return why == limit::none;
  }
}

}  // namespace fettle::ndp::schedule
