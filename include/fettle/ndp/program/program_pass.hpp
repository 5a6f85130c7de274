// program_pass: adds one map or two to a program, and a reduction of what they yield, which may be
// computed in one pass with them (one_pass_execution.hpp).
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/program/fusing.hpp>
#include <fettle/ndp/program/kept_values.hpp>
#include <fettle/ndp/program/rewrite.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/side_by_side.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// What makes a reduction of the values that maps yield: a function object.
template <typename F>
concept reduction_maker = std::is_class_v<F> && !operation<F> && !sequence_like<F> &&
                          !platform_or_schedule<F> && !requires(const F& f) { f.size(); };
template <typename... Arguments>
inline constexpr bool has_reduction_maker_v = (reduction_maker<Arguments> || ...);

/// What a reduction in one pass with a map reads of its destination.
template <typename T>
[[nodiscard]] kept_values<T> kept_in(const sequence<T>& s) {
  return {read_only(s), nullptr};
}

/// add<Names...>(program, ...) for each form of basic_program::add() with a reduction.
struct program_pass {
  template <fixed_string... Names, typename Program, typename... Arguments>
  static void add(Program& /*p*/, const Arguments&... /*arguments*/) {
    static_assert(sizeof(Program) == 0,
                  "program: a reduction is added with maps as add<\"a\", \"total\">(map, "
                  "reduction_of), or (map, destination, reduction_of), or with three names (map, "
                  "destination, map, destination, reduction_of), where destinations are sequences "
                  "made by make_sequence, and the last argument may be the total's");
  }
  template <fixed_string First, fixed_string Total, typename Program, typename E,
            reduction_maker Make, typename... To>
  static auto add(Program& p, const E& e, const Make& reduction_of, const To&... to) {
    const auto first = p.template add<First>(e);
    using value = typename decltype(first)::value_type;
    const auto insert = [&](const auto& total) {
      constexpr auto name = joined_name<First, Total, '|'>();
      const kept_values<value> kept{sequence<const value>(nullptr, first.size()), first.place};
      p.template insert_one_pass<name>(e, destination_in(e, no_destination{}, *first.place),
                                       reduction_of(kept), total, 1);
    };
    if constexpr (sizeof...(To) == 0) {
      return make_tuple(first, add_total<Total>(p, reduction_of(first), insert));
    } else {
      add_total<Total>(p, reduction_of(first), insert, to...);
      return first;
    }
  }
  template <fixed_string First, fixed_string Total, typename Program, typename E, typename T,
            reduction_maker Make, typename... To>
  static auto add(Program& p, const E& e, const sequence<T>& destination, const Make& reduction_of,
                  const To&... to) {
    p.template add<First>(e, destination);
    const sequence<T> kept = first_elements(destination, e.size());
    const auto insert = [&](const auto& total) {
      constexpr auto name = joined_name<First, Total, '|'>();
      p.template insert_one_pass<name>(e, kept, reduction_of(kept_in(kept)), total, 1);
    };
    return add_total<Total>(p, reduction_of(read_only(kept)), insert, to...);
  }
  template <fixed_string First, fixed_string Second, fixed_string Total, typename Program,
            typename E1, typename T1, typename E2, typename T2, reduction_maker Make,
            typename... To>
  static auto add(Program& p, const E1& e1, const sequence<T1>& destination1, const E2& e2,
                  const sequence<T2>& destination2, const Make& reduction_of, const To&... to) {
    p.template add<First, Second>(e1, destination1, e2, destination2);
    const sequence<T1> kept1 = first_elements(destination1, e1.size());
    const sequence<T2> kept2 = first_elements(destination2, e2.size());
    const auto insert = [&](const auto& total) {
      constexpr auto pair = joined_name<First, Second, '|'>();
      constexpr auto name = joined_name<pair, Total, '|'>();
      if (e1.size() != e2.size()) return;  // then one after the other
      p.template insert_one_pass<name>(rules::side_by_side::apply(e1, e2), zip(kept1, kept2),
                                       reduction_of(kept_in(kept1), kept_in(kept2)), total, 2);
    };
    return add_total<Total>(p, reduction_of(read_only(kept1), read_only(kept2)), insert, to...);
  }

 private:
  /// The reduction by itself; insert(where its value goes) adds it in one pass with the maps.
  template <fixed_string Total, typename Program, typename R, typename Insert>
  static auto add_total(Program& p, const R& reduction, const Insert& insert) {
    const auto total = p.template add<Total>(reduction);
    insert(destination_in(reduction, no_destination{}, *total.place));
    return total;
  }
  template <fixed_string Total, typename Program, typename R, typename Insert, typename To>
  static void add_total(Program& p, const R& reduction, const Insert& insert, const To& to) {
    p.template add<Total>(reduction, to);
    insert(to);
  }
};

}  // namespace fettle::ndp::detail
