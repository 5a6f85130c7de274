// What an expression of a program reads: which results of earlier computations, how often each of
// their elements, and whether its functions read, or yield, what the expression does not show.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/program/result.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Result is one of those that S reads itself, not through others.
template <typename Result, typename S>
inline constexpr bool reads_v = false;
template <typename Result, template <typename...> typename Node, typename... S>
inline constexpr bool reads_v<Result, Node<S...>> = (reads_v<Result, S> || ...);
template <typename Result, typename Name, typename E>
inline constexpr bool reads_v<Result, program_result<Name, E>> =
    std::is_same_v<Result, program_result<Name, E>>;

/// S reads each element of Result about once: it does not gather or replicate them, and no row
/// program reads them again.
template <typename Result, typename S>
inline constexpr bool reads_once_v = true;
template <typename Result, template <typename...> typename Node, typename... S>
inline constexpr bool reads_once_v<Result, Node<S...>> = (reads_once_v<Result, S> && ...);
template <typename Result, typename S, typename Indices>
inline constexpr bool reads_once_v<Result, gathered_sequence<S, Indices>> =
    !reads_v<Result, S> && reads_once_v<Result, Indices>;
template <typename Result, typename S>
inline constexpr bool reads_once_v<Result, constant_sequence<S>> = !reads_v<Result, S>;
template <typename Result, typename F, typename Team, typename... S>
inline constexpr bool reads_once_v<Result, transformed_sequence<row_function<F, Team>, S...>> =
    (!reads_v<Result, S> && ...);

/// F may read memory that is not in the expression.
template <typename S>
inline constexpr bool functions_hold_v = false;
template <template <typename...> typename Node, typename... S>
inline constexpr bool functions_hold_v<Node<S...>> = (functions_hold_v<S> || ...);
template <typename F, typename... S>
inline constexpr bool functions_hold_v<transformed_sequence<F, S...>> =
    (!std::is_empty_v<F> && sizeof(F) >= sizeof(void*)) || (functions_hold_v<S> || ...);
template <typename Name, typename E>
inline constexpr bool functions_hold_v<program_result<Name, E>> = functions_hold_v<E>;

/// All functions of S yield the same each time: none says `is_deterministic = false`.
template <typename S>
inline constexpr bool says_deterministic_v = [] {
  if constexpr (requires { S::is_deterministic; }) {
    return bool{S::is_deterministic};
  } else {
    return true;
  }
}();
template <typename S>
inline constexpr bool is_deterministic_v = says_deterministic_v<S>;
template <template <typename...> typename Node, typename... S>
inline constexpr bool is_deterministic_v<Node<S...>> =
    says_deterministic_v<Node<S...>> && (is_deterministic_v<S> && ...);

}  // namespace fettle::ndp::detail
