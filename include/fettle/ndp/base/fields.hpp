// fields: the numbers that a value consists of. Compilers vectorise loops that copy these one by
// one, but none that copies a struct as a whole.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/tuple.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

// Initialises a field that is a number, and no other.
struct any_number {
  template <typename T>
    requires std::is_arithmetic_v<T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

inline constexpr std::size_t most_fields = 6;

/// How many fields a struct of numbers has, after those that `Numbers` initialise; 0 where it has
/// other fields, or more than most_fields.
template <typename T, typename... Numbers>
[[nodiscard]] consteval std::size_t count_fields() {
  constexpr std::size_t count = sizeof...(Numbers);
  constexpr bool has_another = requires { T{Numbers{}..., {}}; };
  constexpr bool is_number = requires { T{Numbers{}..., any_number{}}; };
  constexpr bool is_array = requires { T{Numbers{}..., {{any_number{}}}}; };
  if constexpr (!has_another) {
    return count;
  } else if constexpr (!is_number || is_array || count == most_fields) {
    return 0;
  } else {
    return count_fields<T, Numbers..., any_number>();
  }
}

template <typename T>
inline constexpr std::size_t field_count_v = 0;
template <typename T>
  requires(std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T>)
inline constexpr std::size_t field_count_v<T> = count_fields<T>();

template <typename T>
inline constexpr bool is_tuple_of_numbers_v = false;
template <typename... Ts>
inline constexpr bool is_tuple_of_numbers_v<tuple<Ts...>> = (std::is_arithmetic_v<Ts> && ...);

/// A number, or a struct or a tuple of numbers.
template <typename T>
concept of_numbers =
    std::is_arithmetic_v<std::remove_const_t<T>> || field_count_v<std::remove_const_t<T>> != 0 ||
    is_tuple_of_numbers_v<std::remove_const_t<T>>;

template <typename Tuple, typename F, std::size_t... Is>
[[gnu::always_inline]] constexpr void with_elements(Tuple& values, const F& f,
                                                    std::index_sequence<Is...> /*indices*/) {
  f(get<Is>(values)...);
}

/// f(its numbers...).
template <of_numbers T, typename F>
[[gnu::always_inline]] constexpr void with_fields(T& value, const F& f) {
  using struct_type = std::remove_const_t<T>;
  if constexpr (std::is_arithmetic_v<struct_type>) {
    f(value);
  } else if constexpr (is_tuple_of_numbers_v<struct_type>) {
    with_elements(value, f, std::make_index_sequence<std::tuple_size_v<struct_type>>{});
  } else if constexpr (field_count_v<struct_type> == 1) {
    auto& [a] = value;
    f(a);
  } else if constexpr (field_count_v<struct_type> == 2) {
    auto& [a, b] = value;
    f(a, b);
  } else if constexpr (field_count_v<struct_type> == 3) {
    auto& [a, b, c] = value;
    f(a, b, c);
  } else if constexpr (field_count_v<struct_type> == 4) {
    auto& [a, b, c, d] = value;
    f(a, b, c, d);
  } else if constexpr (field_count_v<struct_type> == 5) {
    auto& [a, b, c, d, e] = value;
    f(a, b, c, d, e);
  } else {
    auto& [a, b, c, d, e, g] = value;
    f(a, b, c, d, e, g);
  }
}

/// to = from, number by number.
template <of_numbers T>
[[gnu::always_inline]] constexpr void copy_fields(T& to, const T& from) {
  with_fields(to, [&](auto&... targets) {
    with_fields(from, [&](const auto&... numbers) { ((targets = numbers), ...); });
  });
}

}  // namespace fettle::ndp::detail
