// one_pass: a map whose values are kept, and a reduction that reads each of them at its own index,
// in one pass over the elements: what the map has just written is reduced before it leaves the
// processor. A program computes the two so (ndp/program/one_pass_execution.hpp).
//
//   for (i) { kept[i] = map[i]; total = op(total, source[i]); }      source reads kept[i]
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/node.hpp>
#include <fettle/ndp/shape/operator_rules.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// Both computations. The reduction's source reads the memory that the map's values go to.
template <typename Map, typename Reduction>
struct one_pass {
  Map map;
  Reduction reduction;
};

/// Where the map's values and the reduction's value go.
template <typename Kept, typename Total>
struct one_pass_destination {
  Kept kept;
  Total total;
};

template <typename M, typename R>
inline constexpr bool has_epilogue_v<one_pass<M, R>> = has_epilogue_v<M>;

}  // namespace detail

namespace rules {

struct one_pass {
  static constexpr operator_rule rule{
      "one_pass", "map, reduce", "one pass",
      "a map of values or of reductions of rows, and a commutative reduction that reads what it "
      "writes, each element at its own index"};

  /// (What has an epilogue maps values, too: those of reductions of rows.)
  template <typename M, typename R>
  static constexpr bool applies_v = [] {
    if constexpr (scalar_reduce_node<R>) {
      return (detail::maps_values_v<M> || ndp::detail::maps_to_reductions_v<M> ||
              ndp::detail::has_epilogue_v<M>) &&
             !ndp::detail::is_map_of_programs_v<M> && is_commutative_v<decltype(R::op)>;
    } else {
      return false;
    }
  }();
};

}  // namespace rules

}  // namespace fettle::ndp
