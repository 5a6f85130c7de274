// number: an integer that is known when the program runs, or already from its type, where compilers
// unroll and vectorise by it.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// An integer in a type: constant<5>, std::integral_constant<int, 5>.
template <typename N>
concept constant_number = std::is_empty_v<N> && requires {
  { N::value } -> std::convertible_to<index_t>;
  requires std::integral<std::remove_cvref_t<decltype(N::value)>>;
};

/// An integer, or one in a type.
template <typename N>
concept number_like = constant_number<N> || (std::integral<N> && !std::is_same_v<N, bool>);

namespace detail {

/// What would be cut to an integer without a word, where a number of elements is asked for.
template <typename N>
concept cut_to_integer = std::floating_point<N> || std::is_same_v<N, bool>;

/// That, or what is no number.
template <typename N>
concept no_integer = cut_to_integer<N> || !std::is_convertible_v<N, index_t>;

/// How a view holds a number.
template <number_like N>
using number_t = std::conditional_t<constant_number<N>, N, index_t>;

template <number_like N>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t value_of_number([[maybe_unused]] N n) {
  if constexpr (constant_number<N>) {
    return static_cast<index_t>(N::value);
  } else {
    return static_cast<index_t>(n);
  }
}

/// A number as a view holds it.
template <number_like N>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr number_t<N> as_number(N n) {
  if constexpr (constant_number<N>) {
    return n;
  } else {
    return static_cast<index_t>(n);
  }
}

}  // namespace detail

}  // namespace fettle::ndp
