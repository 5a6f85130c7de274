// rewritten_execution: a computation of a program by an operator rule (shape/operator_rules.hpp).
// What a rule computes in between lies in the program's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/program/fusing.hpp>
#include <fettle/ndp/program/rewrite.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/operator_rules.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Whether programs on a platform compile their computations by operator rules, too. They do where
/// they are tuned, and where the generated header has such a variant.
template <typename Platform>
inline constexpr bool compiles_rewrites_v =
#if defined(FETTLE_INTROSPECT) || defined(FETTLE_NDP_TRAINING)
    true;
#else
    false;
#endif

namespace detail {

/// Elements of a tile of `count`: up to about a thousand tiles of at least a thousand elements.
[[nodiscard]] constexpr index_t tile_of(index_t count) {
  return std::max(index_t{1024}, ceiling_quotient(count, index_t{1024}));
}
[[nodiscard]] constexpr index_t tiles_of(index_t count) {
  return ceiling_quotient(count, tile_of(count));
}

/// The elements that E's tiles divide.
template <typename E>
[[nodiscard]] index_t tiled_count(const E& e) {
  if constexpr (is_reduced_v<E>) {
    return e.source.size();
  } else {
    return e.size();
  }
}

template <typename Execute, typename Rule>
struct rewritten_execution {
  static constexpr bool needs_room = true;

  /// A map that ends with the reductions of rows is their kernel's last step, and no map of values.
  template <typename E>
  static constexpr bool applies_v = Rule::template applies_v<E> && !holds_reductions_v<E>;

  /// Bytes that lie in between.
  template <typename E>
  [[nodiscard]] static std::size_t room(const E& e) {
    if constexpr (std::is_same_v<Rule, rules::tile_reduce>) {
      return static_cast<std::size_t>(tiles_of(tiled_count(e))) * sizeof(typename E::value_type);
    } else if constexpr (std::is_same_v<Rule, rules::three_phase_scan>) {
      return static_cast<std::size_t>(2 * tiles_of(tiled_count(e))) *
             sizeof(typename E::value_type);
    } else {
      return 0;
    }
  }

  template <fixed_string Name, typename E, typename D, typename Platform>
  static void run(const E& e, const D& destination, const Platform& on, void* room) {
    if constexpr (std::is_same_v<Rule, rules::tile_map>) {
      run_as<Name, "tiles">(Rule::apply(e, tile_of(e.size())), destination, on);
    } else if constexpr (std::is_same_v<Rule, rules::tile_reduce>) {
      const sequence<typename E::value_type> partials = tiles<E>(e, room, 0);
      run_as<Name, "partials">(Rule::partials(e, tile_of(tiled_count(e))), partials, on);
      run_as<Name, "combined">(Rule::apply(e, read_only(partials)), destination, on);
    } else if constexpr (std::is_same_v<Rule, rules::three_phase_scan>) {
      const sequence<typename E::value_type> partials = tiles<E>(e, room, 0);
      const sequence<typename E::value_type> starts = tiles<E>(e, room, 1);
      const index_t tile = tile_of(tiled_count(e));
      run_as<Name, "partials">(Rule::partials(e, tile), partials, on);
      run_as<Name, "starts">(Rule::starts(e, read_only(partials)), starts, on);
      run_as<Name, "tiles">(Rule::apply(e, read_only(starts), tile), destination, on);
    } else {
      run_as<Name, "once">(Rule::apply(e), destination, on);
    }
  }

 private:
  /// By the name "total:partials".
  template <fixed_string Name, fixed_string Part, typename... Arguments>
  static void run_as(const Arguments&... arguments) {
    constexpr auto name = joined_name<Name, Part, ':'>();
    Execute::template run<name>(arguments...);
  }
  template <typename E>
  [[nodiscard]] static sequence<typename E::value_type> tiles(const E& e, void* room,
                                                              index_t number) {
    const index_t count = tiles_of(tiled_count(e));
    return {static_cast<typename E::value_type*>(room) + number * count, count};
  }
};

/// The rules by which E may be computed otherwise.
using rules_of_programs = type_list<rules::tile_map, rules::tile_reduce, rules::three_phase_scan,
                                    rules::gather_twice, rules::transpose_twice>;

}  // namespace detail

}  // namespace fettle::ndp
