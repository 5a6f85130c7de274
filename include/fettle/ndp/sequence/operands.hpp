// operands: the sequences, operators and values that a sequence is made of, one level down.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename S>
inline constexpr bool is_tuple_v = false;
template <typename... S>
inline constexpr bool is_tuple_v<tuple<S...>> = true;

template <typename S>
inline constexpr bool is_window_v = false;
template <typename S>
inline constexpr bool is_window_v<window<S>> = true;

}  // namespace detail

/// visit(operand) for each, in an order that the type decides: those of a tuple are its values.
template <typename S, typename Visit>
constexpr void for_each_operand(const S& s, Visit&& visit) {
  if constexpr (detail::is_tuple_v<S>) {
    [&]<std::size_t... Is>(std::index_sequence<Is...> /*indices*/) {
      (visit(get<Is>(s)), ...);
    }(std::make_index_sequence<std::tuple_size_v<S>>{});
  } else if constexpr (detail::is_window_v<S>) {
    visit(s.base());
  } else {
    if constexpr (requires { s.source; }) visit(s.source);
    if constexpr (requires { s.sources; }) visit(s.sources);
    if constexpr (requires { s.indices; }) visit(s.indices);
    if constexpr (requires { s.offsets; }) visit(s.offsets);
    if constexpr (requires { s.keys; }) visit(s.keys);
    if constexpr (requires { s.destination; }) visit(s.destination);
    if constexpr (requires { s.results; }) visit(s.results);
    if constexpr (requires { s.others; }) visit(s.others);
    if constexpr (requires { s.seed; }) visit(s.seed);
    if constexpr (requires { s.value; }) visit(s.value);
  }
}

}  // namespace fettle::ndp
