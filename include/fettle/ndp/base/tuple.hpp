// tuple: several values in one, on the processor and on the GPU (std::tuple's functions are not
// callable from kernels). What zip and join yield; structured bindings take it apart.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Values (or references) side by side: an aggregate, trivially copyable where they are. Assigning
/// to a tuple of references (`store`) assigns through them.
template <typename... Ts>
struct tuple {};

namespace detail {

// Whether each value of the first tuple converts to the type of the same index in the second.
template <typename From, typename To>
inline constexpr bool converts_v = false;
template <typename... Ts, typename... Others>
  requires(sizeof...(Ts) == sizeof...(Others))
inline constexpr bool converts_v<tuple<Ts...>, tuple<Others...>> =
    (std::is_constructible_v<Others, const Ts&> && ...);

}  // namespace detail

// One value ends the recursion: an empty tuple after it would take room, and marked
// [[no_unique_address]] it makes nvcc 13 hand kernels the members after it from the wrong place.
template <typename First>
struct tuple<First> {
  First first;

  template <typename Other>
    requires(detail::converts_v<tuple<First>, tuple<Other>>)
  FETTLE_HOST_DEVICE constexpr operator tuple<Other>() const {
    return {static_cast<Other>(first)};
  }
};

template <typename First, typename Second, typename... Rest>
struct tuple<First, Second, Rest...> {
  First first;
  tuple<Second, Rest...> rest;

  /// A tuple of references becomes one of values, and values convert one by one.
  template <typename Other, typename... Others>
    requires(detail::converts_v<tuple<First, Second, Rest...>, tuple<Other, Others...>>)
  FETTLE_HOST_DEVICE constexpr operator tuple<Other, Others...>() const {
    return {static_cast<Other>(first), static_cast<tuple<Others...>>(rest)};
  }
};

/// Values compare one by one, references by what they refer to.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename... Ts, typename... Others>
  requires(sizeof...(Ts) == sizeof...(Others))
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool operator==(const tuple<Ts...>& a,
                                                           const tuple<Others...>& b) {
  if constexpr (sizeof...(Ts) == 0) {
    return true;
  } else if constexpr (sizeof...(Ts) == 1) {
    return a.first == b.first;
  } else {
    return a.first == b.first && a.rest == b.rest;
  }
}

/// The i-th value.
template <std::size_t Index, typename... Ts>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto& get(tuple<Ts...>& values) {
  static_assert(Index < sizeof...(Ts), "get: this tuple has fewer values");
  if constexpr (Index == 0) {
    return values.first;
  } else {
    return get<Index - 1>(values.rest);
  }
}
template <std::size_t Index, typename... Ts>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr decltype(auto) get(const tuple<Ts...>& values) {
  static_assert(Index < sizeof...(Ts), "get: this tuple has fewer values");
  if constexpr (Index == 0) {
    return (values.first);  // a reference in a constant tuple still refers to what may be assigned
  } else {
    return get<Index - 1>(values.rest);
  }
}
template <std::size_t Index, typename... Ts>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr std::tuple_element_t<Index, std::tuple<Ts...>> get(
    tuple<Ts...>&& values) {
  using element = std::tuple_element_t<Index, std::tuple<Ts...>>;
  return static_cast<element>(get<Index>(values));
}

namespace detail {

template <typename... Ts>
struct tuple_builder {
  static constexpr FETTLE_HOST_DEVICE tuple<> build() { return {}; }
};
template <typename First, typename... Rest>
struct tuple_builder<First, Rest...> {
  static constexpr FETTLE_HOST_DEVICE tuple<First, Rest...> build(First first, Rest... rest) {
    if constexpr (sizeof...(Rest) == 0) {
      return {static_cast<First>(first)};
    } else {
      return {static_cast<First>(first), tuple_builder<Rest...>::build(static_cast<Rest>(rest)...)};
    }
  }
};

}  // namespace detail

/// tuple_of<int, double&>(i, x): a tuple of exactly these types.
template <typename... Ts>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr tuple<Ts...> tuple_of(
    std::type_identity_t<Ts>... values) {
  return detail::tuple_builder<Ts...>::build(static_cast<Ts>(values)...);
}

template <typename... Ts>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr tuple<std::decay_t<Ts>...> make_tuple(Ts&&... values) {
  return tuple_of<std::decay_t<Ts>...>(static_cast<Ts&&>(values)...);
}

}  // namespace fettle::ndp

template <typename... Ts>
struct std::tuple_size<fettle::ndp::tuple<Ts...>>
    : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t Index, typename... Ts>
struct std::tuple_element<Index, fettle::ndp::tuple<Ts...>> {
  using type = std::tuple_element_t<Index, std::tuple<Ts...>>;
};
