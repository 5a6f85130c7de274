// cost: what a computation costs, as far as types and lengths tell: how many elements it has, and
// whether one of them may be expensive.
#pragma once

#include <algorithm>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename F, typename... Known>
inline constexpr bool is_one_of_v = (std::is_same_v<F, Known> || ...);

// The layer's own functions: a few instructions each.
template <typename F>
inline constexpr bool is_small_function_v =
    is_one_of_v<F, plus, minus, multiplies, divides, minimum, maximum, negate, identity, bit_and,
                bit_or, bit_xor, logical_and, logical_or>;

// Whether calling a user's function is all that can make elements expensive, and there is none. A
// view is a template over other views and types, so its arguments are looked through.
template <typename S>
struct is_cheap : std::true_type {};
template <template <typename...> typename View, typename... Arguments>
struct is_cheap<View<Arguments...>> : std::bool_constant<(is_cheap<Arguments>::value && ...)> {};
template <typename F, typename... S>
struct is_cheap<transformed_sequence<F, S...>>
    : std::bool_constant<(is_small_function_v<F> && ... && is_cheap<S>::value)> {};
// A function that returns a computation only builds it.
template <typename F, typename... S>
  requires realisable<row_t<transformed_sequence<F, S...>>>
struct is_cheap<transformed_sequence<F, S...>> : is_cheap<row_t<transformed_sequence<F, S...>>> {};

inline constexpr index_t sampled_rows = 8;

/// No element of E takes more than a few instructions, its nested computations included.
template <typename E>
inline constexpr bool is_cheap_v = is_cheap<E>::value;

template <typename E>
[[nodiscard]] index_t elements_of(const E& e);

/// Whether a map's nested computations are as long as the rows that give its shape, judged by a
/// few. A user's function may as well reduce something else, for which its argument only is a name.
template <nested_node E>
[[nodiscard]] bool follows_shape(const E& e) {
  if constexpr (has_outer_shape_v<E> && !nested_node<row_t<E>>) {
    const auto& rows = outer_shape(e);
    const index_t count = e.size();
    const index_t samples = std::min(count, sampled_rows);
    for (index_t k = 0; k < samples; ++k) {
      const index_t i = count / samples * k;
      if (elements_of(row_t<E>(e[i])) != rows.row_begin(i + 1) - rows.row_begin(i)) return false;
    }
    return true;
  } else {
    return false;
  }
}

/// How many elements a computation has, those of nested ones counted one by one: exactly where the
/// rows' offsets say it, else judged by a few rows.
template <typename E>
[[nodiscard]] index_t elements_of(const E& e) {
  if constexpr (row_reduce_node<E> || row_by_key_node<E>) {
    return e.source.size() * e.seed.size();
  } else if constexpr (scalar_reduce_node<E> || by_index_node<E>) {
    return e.source.size();
  } else if constexpr (!nested_node<E>) {
    return e.size();
  } else {
    const index_t rows = e.size();
    if (rows == 0) return 0;
    if constexpr (has_outer_shape_v<E>) {
      if (follows_shape(e)) return outer_shape(e).row_begin(rows) - outer_shape(e).row_begin(0);
    }
    const index_t samples = std::min(rows, sampled_rows);
    index_t sum = 0;
    for (index_t k = 0; k < samples; ++k) sum += elements_of(row_t<E>(e[rows / samples * k]));
    return sum / samples * rows + rows;
  }
}

}  // namespace fettle::ndp::host::detail
