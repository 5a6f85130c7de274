// featured_input: the input of a computation that says how much work there is: its first nested
// one, or its first one where none nests. And how many elements it reads.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/input_kind.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename... S>
[[nodiscard]] consteval std::size_t first_nested_index(type_list<S...> /*inputs*/) {
  std::size_t index = 0;
  const bool found = ((nested<S> || (++index, false)) || ...);
  return found ? index : 0;
}

/// The input at `Index`, by the members that inputs_of_t goes by.
template <std::size_t Index, typename E>
[[nodiscard]] constexpr const auto& input_at(const E& e) {
  if constexpr (requires { get<Index>(e.sources); }) {
    return get<Index>(e.sources);
  } else if constexpr (Index == 0) {
    return e.source;
  } else if constexpr (requires { e.keys; }) {
    return e.keys;
  } else if constexpr (requires { e.indices; }) {
    return e.indices;
  } else {
    return e.offsets;
  }
}

}  // namespace detail

/// The input whose features a computation has; the computation itself where it reads none.
template <operation E>
[[nodiscard]] constexpr const auto& featured_input(const E& e) {
  if constexpr (inputs_of_t<E>::size == 0) {
    return e;
  } else {
    return detail::input_at<detail::first_nested_index(inputs_of_t<E>{})>(e);
  }
}

namespace detail {

/// Elements of all rows, without reading an offset, which may lie on a GPU.
template <has_row_offsets Rows>
[[nodiscard]] constexpr index_t elements_of_rows(const Rows& rows) {
  return rows.source.size();
}

template <typename Input>
[[nodiscard]] index_t elements_in(const Input& rows) {
  if constexpr (has_row_offsets<Input>) {
    return elements_of_rows(rows);
  } else {
    return rows.size() * rows.row_size();
  }
}

/// How many elements a computation reads, as far as its input knows in constant time.
template <operation E>
[[nodiscard]] index_t elements_going_in(const E& e) {
  const auto& input = featured_input(e);
  using type = std::remove_cvref_t<decltype(input)>;
  if constexpr (has_row_offsets<type> || has_row_size<type>) {
    return elements_in(input);
  } else {
    return input.size();
  }
}

}  // namespace detail

}  // namespace fettle::ndp
