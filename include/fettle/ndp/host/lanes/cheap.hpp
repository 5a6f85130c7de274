// cheap: which computations have cheap elements, as far as types tell: those that call no function
// of the user.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/operator/map.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename F, typename... Known>
inline constexpr bool is_one_of_v = (std::is_same_v<F, Known> || ...);

// The layer's own functions: a few instructions each.
template <typename F>
inline constexpr bool is_small_function_v =
    is_one_of_v<F, plus, minus, multiplies, divides, minimum, maximum, negate, identity, bit_and,
                bit_or, bit_xor, logical_and, logical_or>;

// Whether S calls no function of the user. A view is a template over other views and types, so its
// arguments are searched, too.
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

/// No element of E takes more than a few instructions, its nested computations included.
template <typename E>
inline constexpr bool is_cheap_v = is_cheap<E>::value;

}  // namespace fettle::ndp::host::detail
