// for_each_leaf: the contiguous sequences that an expression or a view is made of, wherever they
// are in it. What function objects hold cannot be seen.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/operands.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename S>
inline constexpr bool is_contiguous_v = false;
template <typename T>
inline constexpr bool is_contiguous_v<sequence<T>> = true;

}  // namespace detail

/// visit(sequence<T>) for each, in an order that the type decides.
template <typename S, typename Visit>
void for_each_leaf(const S& s, Visit&& visit) {
  if constexpr (detail::is_contiguous_v<S>) {
    visit(s);
  } else if constexpr (detail::is_tuple_v<S> || sequence_like<S> || operation<S>) {
    for_each_operand(s, [&](const auto& operand) { for_each_leaf(operand, visit); });
  }
}

}  // namespace fettle::ndp
