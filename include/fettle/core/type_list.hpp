// type_list: types as a compile-time list, with the few operations that Fettle needs.
//
//   using list = type_list<int, float>;
//   list::size                                   2
//   type_at_t<list, 1>                           float
//   contains_v<list, int>                        true
//   index_of_v<list, float>                      1
//   unique_concat_t<list, type_list<float, char>>    type_list<int, float, char>
//   for_each(list{}, []<typename T>(type_tag<T>) { ... });
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

template <typename... Types>
struct type_list {
  static constexpr std::size_t size = sizeof...(Types);
};

/// Stands for a type where a value is passed.
template <typename T>
struct type_tag {
  using type = T;
};

namespace detail {

template <typename List, std::size_t Index>
struct type_at {
  static_assert(List::size > Index, "type_at_t: the list has no type at this index");
};
template <typename First, typename... Rest>
struct type_at<type_list<First, Rest...>, 0> {
  using type = First;
};
template <typename First, typename... Rest, std::size_t Index>
  requires(Index > 0)
struct type_at<type_list<First, Rest...>, Index> : type_at<type_list<Rest...>, Index - 1> {};

template <typename List, typename T>
inline constexpr bool contains = false;
template <typename... Types, typename T>
inline constexpr bool contains<type_list<Types...>, T> = (std::is_same_v<Types, T> || ...);

template <typename T, typename... Types>
[[nodiscard]] consteval std::size_t index_of(type_list<Types...> /*list*/) {
  std::size_t index = 0;
  static_cast<void>(((std::is_same_v<Types, T> || (++index, false)) || ...));
  return index;
}

// Takes the types of the second list one by one, and leaves out what the first has by then.
template <typename List, typename More>
struct unique_concat;
template <typename... Types>
struct unique_concat<type_list<Types...>, type_list<>> {
  using type = type_list<Types...>;
};
template <typename... Types, typename First, typename... Rest>
struct unique_concat<type_list<Types...>, type_list<First, Rest...>> {
  using grown = std::conditional_t<(std::is_same_v<Types, First> || ...), type_list<Types...>,
                                   type_list<Types..., First>>;
  using type = typename unique_concat<grown, type_list<Rest...>>::type;
};

}  // namespace detail

/// The type at `Index`, which counts from 0.
template <typename List, std::size_t Index>
using type_at_t = typename detail::type_at<List, Index>::type;

/// Whether T is one of the list's types.
template <typename List, typename T>
inline constexpr bool contains_v = detail::contains<List, T>;

/// Where T stands in the list; the list's size where it does not.
template <typename List, typename T>
inline constexpr std::size_t index_of_v = detail::index_of<T>(List{});

/// The types of both lists in their order, each once.
template <typename First, typename Second>
using unique_concat_t =
    typename detail::unique_concat<typename detail::unique_concat<type_list<>, First>::type,
                                   Second>::type;

/// Calls `function(type_tag<T>{})` for each type in order.
template <typename... Types, typename Function>
constexpr void for_each(type_list<Types...> /*list*/, Function&& function) {
  (static_cast<void>(function(type_tag<Types>{})), ...);
}

}  // namespace fettle
