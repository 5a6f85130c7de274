// What goes into a computation: the sequences that its outermost operator reads, how the first of
// them nests, and what their elements are.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// How a sequence nests: not at all; in rows that are equally long (a last one may be shorter); in
/// rows of any lengths.
enum class nesting : std::uint8_t { flat, uniform, irregular };

[[nodiscard]] constexpr std::string_view to_string(nesting kind) noexcept {
  constexpr std::string_view names[] = {"flat", "uniform", "irregular"};
  return names[static_cast<std::size_t>(kind)];
}

namespace detail {

template <typename Sources>
struct tuple_types;
template <typename... S>
struct tuple_types<tuple<S...>> {
  using type = type_list<S...>;
};

// The members by which operators hold their arguments.
template <typename E>
[[nodiscard]] auto inputs_of() {
  if constexpr (requires { typename tuple_types<decltype(E::sources)>::type; }) {
    return typename tuple_types<decltype(E::sources)>::type{};
  } else if constexpr (requires(E e) { e.source, e.keys; }) {
    return type_list<decltype(E::source), decltype(E::keys)>{};
  } else if constexpr (requires(E e) { e.source, e.indices; }) {
    return type_list<decltype(E::source), decltype(E::indices)>{};
  } else if constexpr (requires(E e) { e.source, e.offsets; }) {
    return type_list<decltype(E::source), decltype(E::offsets)>{};
  } else if constexpr (requires(E e) { e.source; }) {
    return type_list<decltype(E::source)>{};
  } else {
    return type_list<>{};
  }
}

template <typename S>
[[nodiscard]] consteval nesting nesting_of() {
  if constexpr (!nested<S>) {
    return nesting::flat;
  } else if constexpr (requires(S s) { s.base(); }) {
    return nesting_of<std::remove_cvref_t<decltype(std::declval<const S&>().base())>>();
  } else if constexpr (operation<S>) {
    using type = typename S::operator_type;
    if constexpr (contains_v<type_list<op::split, op::cyclic, op::windows, op::grid, op::halo,
                                       op::transpose, op::replicate>,
                             type>) {
      return nesting::uniform;
    } else if constexpr (std::is_same_v<type, op::gather> || std::is_same_v<type, op::reverse> ||
                         std::is_same_v<type, op::striding>) {
      return nesting_of<decltype(S::source)>();  // rows in another order
    } else {
      return nesting::irregular;
    }
  } else {
    return nesting::irregular;
  }
}

template <typename T>
[[nodiscard]] consteval std::string_view number_name() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == sizeof(float)    ? "float"
           : sizeof(T) == sizeof(double) ? "double"
                                         : "long double";
  }
  constexpr std::string_view names[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                            {"int8", "int16", "int32", "int64"}};
  constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return names[std::is_signed_v<T> ? 1 : 0][width];
}

template <typename T>
[[nodiscard]] consteval std::string_view element_name_of() {
  if constexpr (std::is_void_v<T>) {
    return "none";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_name<T>();
  } else if constexpr (sequence_like<T> || operation<T>) {
    return element_name_of<typename T::value_type>();
  } else {
    return "user";
  }
}

template <typename List>
struct first_nesting {
  static constexpr nesting value = nesting::flat;
};
template <typename First, typename... Rest>
struct first_nesting<type_list<First, Rest...>> {
  static constexpr nesting value = nesting_of<First>();
};

}  // namespace detail

/// The sequences that the outermost operator of E reads, as a type_list.
template <operation E>
using inputs_of_t = decltype(detail::inputs_of<std::remove_cvref_t<E>>());

/// How the first of them nests; flat where E reads none, as a range.
template <operation E>
inline constexpr nesting input_kind_v = detail::first_nesting<inputs_of_t<E>>::value;

/// The scalars that a sequence holds in the end, or a reduction yields: "double", "int32"; "user"
/// for any other type, "none" for void.
template <typename S>
[[nodiscard]] consteval std::string_view element_name() {
  return detail::element_name_of<typename std::remove_cvref_t<S>::value_type>();
}

}  // namespace fettle::ndp
