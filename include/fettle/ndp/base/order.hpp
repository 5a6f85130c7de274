// less, greater: the orders that sort knows.
//
// They are total orders of floating-point numbers, the same on the host and on a GPU: by the bits,
// as a radix sort has them, but for the zeros, which are equal.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// A floating-point number whose order an integer of the same size has.
template <typename T>
concept ordered_by_bits = std::floating_point<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// An integer that is less where x is.
template <ordered_by_bits T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto bits_in_order(T x) {
  using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using bits = std::make_unsigned_t<integer>;
  if (x == T{0}) return integer{0};
  const auto its = __builtin_bit_cast(integer, x);
  constexpr auto all_but_sign = static_cast<integer>(~bits{0} >> 1);
  return its < 0 ? static_cast<integer>(its ^ all_but_sign) : its;
}

}  // namespace detail

/// a < b; NaNs are less or greater than all numbers, as their sign bit says.
struct less {
  template <typename T>
    requires requires(const T& a) { static_cast<bool>(a < a); }
  FETTLE_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (detail::ordered_by_bits<T>) {
      return detail::bits_in_order(a) < detail::bits_in_order(b);
    } else {
      return static_cast<bool>(a < b);
    }
  }
};

/// b < a
struct greater {
  template <typename T>
    requires requires(const T& a) { static_cast<bool>(a < a); }
  FETTLE_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    return less{}(b, a);
  }
};

}  // namespace fettle::ndp
