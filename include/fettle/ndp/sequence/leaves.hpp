// for_each_leaf: the contiguous sequences that an expression or a view is made of, wherever they
// are in it. What function objects hold cannot be seen.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/tuple.hpp>

namespace fettle::ndp {

template <typename S, typename Visit>
void for_each_leaf(const S& s, Visit&& visit);

namespace detail {

template <typename... S, typename Visit, std::size_t... Is>
void for_each_leaf_of(const tuple<S...>& all, Visit& visit, std::index_sequence<Is...> /*places*/) {
  (for_each_leaf(get<Is>(all), visit), ...);
}

template <typename T, typename Visit>
void visit_leaf(const sequence<T>& s, Visit& visit) {
  visit(s);
}
template <typename S, typename Visit>
void visit_leaf(const window<S>& s, Visit& visit) {
  for_each_leaf(s.base(), visit);
}
template <typename S, typename Visit>
void visit_leaf(const S& s, Visit& visit) {
  if constexpr (requires { s.source; }) for_each_leaf(s.source, visit);
  if constexpr (requires { s.sources; }) for_each_leaf(s.sources, visit);
  if constexpr (requires { s.indices; }) for_each_leaf(s.indices, visit);
  if constexpr (requires { s.offsets; }) for_each_leaf(s.offsets, visit);
  if constexpr (requires { s.keys; }) for_each_leaf(s.keys, visit);
  if constexpr (requires { s.destination; }) for_each_leaf(s.destination, visit);
  if constexpr (requires { s.seed; }) for_each_leaf(s.seed, visit);
  if constexpr (requires { s.value; }) for_each_leaf(s.value, visit);
}

template <typename S>
inline constexpr bool is_tuple_v = false;
template <typename... S>
inline constexpr bool is_tuple_v<tuple<S...>> = true;

}  // namespace detail

/// visit(sequence<T>) for each, in an order that the type decides.
template <typename S, typename Visit>
void for_each_leaf(const S& s, Visit&& visit) {
  if constexpr (detail::is_tuple_v<S>) {
    detail::for_each_leaf_of(s, visit, std::make_index_sequence<std::tuple_size_v<S>>{});
  } else if constexpr (sequence_like<S> || operation<S>) {  // a reduce has no length
    detail::visit_leaf(s, visit);
  }
}

}  // namespace fettle::ndp
