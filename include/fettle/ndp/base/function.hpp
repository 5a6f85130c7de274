// Function objects that run on either platform: plus, multiplies, minimum ... take any types, like
// std::plus<>. What is known of them is said by the members that operator_traits.hpp reads.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// Two numbers are converted to the type of the result by hand, because float + int would warn in
// the caller's program.
template <typename A, typename B>
concept both_numbers = std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;

}  // namespace detail

/// a + b
struct plus {
  static constexpr bool is_commutative = true;
  static constexpr bool is_additive = true;
  template <typename T>
    requires std::is_arithmetic_v<T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return T(0);
  }
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const
      -> std::remove_cvref_t<decltype(a + b)> {
    if constexpr (detail::both_numbers<A, B>) {
      using result = decltype(a + b);
      return static_cast<result>(a) + static_cast<result>(b);
    } else {
      return a + b;
    }
  }
};

/// a * b
struct multiplies {
  static constexpr bool is_commutative = true;
  template <typename T>
    requires std::is_arithmetic_v<T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return T(1);
  }
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const
      -> std::remove_cvref_t<decltype(a * b)> {
    if constexpr (detail::both_numbers<A, B>) {
      using result = decltype(a * b);
      return static_cast<result>(a) * static_cast<result>(b);
    } else {
      return a * b;
    }
  }
};

namespace detail {

// Not in the functions below: nvcc takes no function of the standard library's in one for kernels.
template <typename T>
inline constexpr T largest =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::max();
template <typename T>
inline constexpr T smallest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

}  // namespace detail

/// The smaller of two; the first where they are equal.
struct minimum {
  static constexpr bool is_commutative = true;
  template <typename T>
    requires std::numeric_limits<T>::is_specialized
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return detail::largest<T>;
  }
  template <typename A, typename B>
    requires requires(const std::common_type_t<A, B>& x) { x < x ? x : x; }
  FETTLE_HOST_DEVICE constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    // Converted before they are compared: -1 and 1u as what the result is.
    const auto x = static_cast<std::common_type_t<A, B>>(a);
    const auto y = static_cast<std::common_type_t<A, B>>(b);
    return y < x ? y : x;
  }
};

/// The larger of two; the first where they are equal.
struct maximum {
  static constexpr bool is_commutative = true;
  template <typename T>
    requires std::numeric_limits<T>::is_specialized
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return detail::smallest<T>;
  }
  template <typename A, typename B>
    requires requires(const std::common_type_t<A, B>& x) { x < x ? x : x; }
  FETTLE_HOST_DEVICE constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    const auto x = static_cast<std::common_type_t<A, B>>(a);
    const auto y = static_cast<std::common_type_t<A, B>>(b);
    return x < y ? y : x;
  }
};

/// a & b
struct bit_and {
  static constexpr bool is_commutative = true;
  template <std::integral T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return static_cast<T>(~T{});
  }
  template <std::integral A, std::integral B>
  FETTLE_HOST_DEVICE constexpr std::common_type_t<A, B> operator()(A a, B b) const {
    return static_cast<std::common_type_t<A, B>>(a & b);
  }
};

/// a | b
struct bit_or {
  static constexpr bool is_commutative = true;
  template <std::integral T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return T{};
  }
  template <std::integral A, std::integral B>
  FETTLE_HOST_DEVICE constexpr std::common_type_t<A, B> operator()(A a, B b) const {
    return static_cast<std::common_type_t<A, B>>(a | b);
  }
};

/// a ^ b
struct bit_xor {
  static constexpr bool is_commutative = true;
  template <std::integral T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return T{};
  }
  template <std::integral A, std::integral B>
  FETTLE_HOST_DEVICE constexpr std::common_type_t<A, B> operator()(A a, B b) const {
    return static_cast<std::common_type_t<A, B>>(a ^ b);
  }
};

/// a && b
struct logical_and {
  static constexpr bool is_commutative = true;
  template <std::same_as<bool> T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return true;
  }
  FETTLE_HOST_DEVICE constexpr bool operator()(bool a, bool b) const { return a && b; }
};

/// a || b
struct logical_or {
  static constexpr bool is_commutative = true;
  template <std::same_as<bool> T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return false;
  }
  FETTLE_HOST_DEVICE constexpr bool operator()(bool a, bool b) const { return a || b; }
};

/// a - b; not associative
struct minus {
  static constexpr bool is_associative = false;
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const
      -> std::remove_cvref_t<decltype(a - b)> {
    if constexpr (detail::both_numbers<A, B>) {
      using result = decltype(a - b);
      return static_cast<result>(a) - static_cast<result>(b);
    } else {
      return a - b;
    }
  }
};

/// a / b; not associative
struct divides {
  static constexpr bool is_associative = false;
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const
      -> std::remove_cvref_t<decltype(a / b)> {
    if constexpr (detail::both_numbers<A, B>) {
      using result = decltype(a / b);
      return static_cast<result>(a) / static_cast<result>(b);
    } else {
      return a / b;
    }
  }
};

/// -a
struct negate {
  template <typename A>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a) const
      -> std::remove_cvref_t<decltype(-a)> {
    return -a;
  }
};

/// The argument itself, copied.
struct identity {
  template <typename A>
  FETTLE_HOST_DEVICE constexpr A operator()(const A& a) const {
    return a;
  }
};

}  // namespace fettle::ndp
