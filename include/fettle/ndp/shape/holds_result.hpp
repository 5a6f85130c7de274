// holds_result: whether an expression reads the result of a program's computation
// (ndp/program/result.hpp), as its type tells.
#pragma once

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <typename Name, typename E>
struct program_result;

namespace detail {

/// S is a program's result, or made of one.
template <typename S>
inline constexpr bool holds_result_v = false;
template <typename S>
inline constexpr bool holds_result_v<const S> = holds_result_v<S>;
template <template <typename...> typename Node, typename... S>
inline constexpr bool holds_result_v<Node<S...>> = (holds_result_v<S> || ...);
template <typename Name, typename E>
inline constexpr bool holds_result_v<program_result<Name, E>> = true;

}  // namespace detail

}  // namespace fettle::ndp
