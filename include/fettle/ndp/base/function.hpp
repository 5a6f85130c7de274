// Function objects that run on either platform, and what the layer may assume of an operator.
//
// plus, multiplies, minimum ... take any types, like std::plus<>. An operator given to reduce, scan
// or reduce_by_key has to be associative; where it is commutative too, faster ways open up. What
// Fettle knows of an operator it reads from three members, which any function object may have:
//   static constexpr bool is_associative   (true where absent: the caller of reduce guarantees it)
//   static constexpr bool is_commutative   (false where absent)
//   template <typename T> static constexpr T identity()   (absent: none is known)
// and, for reductions of a sample (schedule/knobs.hpp), from two more, false where absent:
//   static constexpr bool is_additive    the result grows with the number of elements, as a sum's
//   static constexpr bool is_mean_like   it does not: a sample's estimates that of all elements
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

namespace detail {

template <typename Op>
constexpr bool associative() {
  if constexpr (requires { Op::is_associative; }) return Op::is_associative;
  return true;
}

template <typename Op>
constexpr bool commutative() {
  if constexpr (requires { Op::is_commutative; }) return Op::is_commutative;
  return false;
}

template <typename Op>
constexpr bool additive() {
  if constexpr (requires { Op::is_additive; }) return Op::is_additive;
  return false;
}

template <typename Op>
constexpr bool mean_like() {
  if constexpr (requires { Op::is_mean_like; }) return Op::is_mean_like;
  return false;
}

}  // namespace detail

/// Whether (a op b) op c = a op (b op c); floating-point rounding is not counted as a difference.
/// Specialise for operators that cannot have a member.
template <typename Op>
inline constexpr bool is_associative_v = detail::associative<Op>();

/// Whether a op b = b op a, so that elements may be combined in any order.
template <typename Op>
inline constexpr bool is_commutative_v = detail::commutative<Op>();

/// Whether what Op makes of a sample, times the number of all elements over the sample's, estimates
/// what it makes of all; or whether that does without the factor.
template <typename Op>
inline constexpr bool is_additive_v = detail::additive<Op>();
template <typename Op>
inline constexpr bool is_mean_like_v = detail::mean_like<Op>();

/// Whether there is a known e with e op a = a op e = a for all a of type T.
template <typename Op, typename T>
inline constexpr bool has_identity_v = requires { Op::template identity<T>(); };

template <typename Op, typename T>
  requires has_identity_v<Op, T>
inline constexpr T identity_v = Op::template identity<T>();

}  // namespace fettle::ndp
