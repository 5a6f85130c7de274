// What the layer may assume of an operator.
//
// An operator given to reduce, scan or reduce_by_key has to be associative; where it is commutative
// too, faster ways open up. What Fettle knows of an operator it reads from three members, which any
// function object may have:
//   static constexpr bool is_associative   (true where absent: the caller of reduce guarantees it)
//   static constexpr bool is_commutative   (false where absent)
//   template <typename T> static constexpr T identity()   (absent: none is known)
// and, for reductions of a sample (schedule/knobs.hpp), from two more, false where absent:
//   static constexpr bool is_additive    the result grows with the number of elements, as a sum's
//   static constexpr bool is_mean_like   it does not: a sample's estimates that of all elements
#pragma once

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

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
