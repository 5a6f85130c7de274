// rewrite: another way to compute one or a few neighbours among a program's computations, by an
// operator rule (shape/operator_rules.hpp): a step that takes the place of theirs, where it is
// chosen. Its name tells what it is: "x|r" is x and r side by side, "x|r|total" those and a
// reduction of what they write in one pass, "total:tile_reduce" is total by that rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// A destination in the program's memory, which is known when the program runs.
template <typename T>
struct place_destination {
  const result_place* place;
  index_t count;

  [[nodiscard]] sequence<T> resolved() const { return {static_cast<T*>(place->data), count}; }
};

template <typename D>
concept late_destination = requires(const D& d) { d.resolved(); };

/// Memory, element by element.
template <typename D>
inline constexpr bool is_flat_destination_v = false;
template <typename T>
inline constexpr bool is_flat_destination_v<sequence<T>> = true;
template <typename T>
inline constexpr bool is_flat_destination_v<place_destination<T>> = true;
template <typename D>
inline constexpr bool is_flat_destination_v<const D> = is_flat_destination_v<D>;

template <typename D>
[[nodiscard]] auto resolved_destination(const D& d) {
  if constexpr (late_destination<D>) {
    return d.resolved();
  } else {
    return d;
  }
}

/// The first `count` elements of memory, which may be longer than what a computation writes.
template <typename D>
[[nodiscard]] D first_elements(const D& d, index_t count) {
  if constexpr (is_contiguous_v<D>) {
    return {d.data(), count};
  } else {
    return d;
  }
}

template <typename T>
[[nodiscard]] sequence<const T> read_only(const sequence<T>& s) {
  return {s.data(), s.size()};
}

/// Those of two computations of `count` elements side by side.
template <typename D1, typename D2>
struct pair_destination {
  D1 first;
  D2 second;
  index_t count;

  [[nodiscard]] auto resolved() const {
    return zip(first_elements(resolved_destination(first), count),
               first_elements(resolved_destination(second), count));
  }
};

/// Where E's values go: to the user's destination, or into the program's memory.
template <typename E, typename D>
[[nodiscard]] auto destination_in(const E& e, const D& destination, const result_place& place) {
  if constexpr (std::is_same_v<D, no_destination>) {
    return place_destination<result_value_t<E>>{&place, result_of<E>::count(e)};
  } else {
    return destination;
  }
}

}  // namespace fettle::ndp::detail
