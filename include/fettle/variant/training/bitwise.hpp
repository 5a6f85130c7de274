// Are two captured outputs the same bit by bit? What `deterministic=True` in a tuning script asks
// of every variant: -0.0 is not 0.0, and NaN is NaN of the same bits alone.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/variant/training/verification.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Elements in one piece of memory whose bytes are all that there is to them. The long double of
/// some machines has bytes that mean nothing.
template <typename T>
concept contiguous_bytes = requires(const T& all) {
  { all.size() } -> std::convertible_to<std::size_t>;
  requires std::is_pointer_v<decltype(all.data())>;
  requires std::is_trivially_copyable_v<std::remove_pointer_t<decltype(all.data())>>;
  requires !std::is_same_v<std::remove_cv_t<std::remove_pointer_t<decltype(all.data())>>,
                           long double>;
};

template <typename T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template <typename T>
using element_of = std::decay_t<decltype(*std::begin(std::declval<const T&>()))>;

/// Whether same_bits can tell.
template <typename T>
constexpr bool bitwise_comparable() {
  if constexpr (contiguous_bytes<T> || std::is_arithmetic_v<T>) {
    return true;
  } else if constexpr (iterable<T>) {
    return bitwise_comparable<element_of<T>>();
  } else if constexpr (tuple_like<T>) {
    return []<std::size_t... Place>(std::index_sequence<Place...>) {
      return (bitwise_comparable<std::decay_t<std::tuple_element_t<Place, T>>>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return std::equality_comparable<T>;
  }
}

/// Of types that bitwise_comparable says yes to. Trivially copyable elements in a contiguous range
/// are compared byte by byte, padding included; other types by what they consist of, or by ==.
template <typename T>
bool same_bits(const T& a, const T& b) {
  if constexpr (contiguous_bytes<T>) {
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0);
  } else if constexpr (sizeof(T) == sizeof(std::uint64_t) && std::is_floating_point_v<T>) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  } else if constexpr (sizeof(T) == sizeof(std::uint32_t) && std::is_floating_point_v<T>) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  } else if constexpr (iterable<T>) {
    auto x = std::begin(a);
    auto y = std::begin(b);
    for (; x != std::end(a) && y != std::end(b); ++x, ++y) {
      if (!same_bits<element_of<T>>(*x, *y)) return false;
    }
    return x == std::end(a) && y == std::end(b);
  } else if constexpr (tuple_like<T>) {
    return [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      return (same_bits<std::decay_t<std::tuple_element_t<Place, T>>>(std::get<Place>(a),
                                                                      std::get<Place>(b)) &&
              ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return static_cast<bool>(a == b);
  }
}

}  // namespace fettle::detail
