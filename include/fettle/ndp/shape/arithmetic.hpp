// Arithmetic on whole sequences, for readability; optional to include.
//
//   sum(row * gather(x, columns))     reduce(plus{}, map(multiplies{}, row, gather(x, columns)),
//   0.0) 2.0 * x - y                       map(minus{}, map(multiplies{}, replicate(2.0, n), x), y)
//   minimum_of(x), maximum_of(x)      of no element: the largest value of the type, the smallest
//
// These are the expressions on the right, type for type: they fuse, and run on any platform.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

// What stands beside a sequence for itself repeated: a number, or one more of its elements.
template <typename T, typename S>
concept scalar_beside = random_access<S> && !sequence_like<T> &&
                        (std::is_arithmetic_v<T> || std::is_same_v<T, typename S::value_type>);

template <typename A, typename B>
concept arithmetic_operands =
    (random_access<A> && random_access<B>) || scalar_beside<A, B> || scalar_beside<B, A>;

template <typename A, typename Partner>
FETTLE_HOST_DEVICE constexpr auto operand(const A& a, const Partner& partner) {
  if constexpr (random_access<A>) {
    return a;
  } else {
    return replicate(a, partner.size());
  }
}

template <typename Op, typename A, typename B>
FETTLE_HOST_DEVICE constexpr auto elementwise(Op op, const A& a, const B& b) {
  return map(op, operand(a, b), operand(b, a));
}

template <typename Op, typename T, typename S>
FETTLE_HOST_DEVICE constexpr auto reduce_from_identity(const S& s) {
  constexpr bool has_identity = has_identity_v<Op, T> || any_invalid_v<S>;
  static_assert(has_identity,
                "sum, product, minimum_of, maximum_of: the operator has no known identity for "
                "elements that are not numbers; use reduce(op, s, seed)");
  if constexpr (has_identity && !any_invalid_v<S>) {
    return reduce(Op{}, s, identity_v<Op, T>);
  } else {
    return invalid_expression{};
  }
}

}  // namespace detail

template <typename A, typename B>
  requires detail::arithmetic_operands<A, B>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator+(const A& a, const B& b) {
  return detail::elementwise(plus{}, a, b);
}
template <typename A, typename B>
  requires detail::arithmetic_operands<A, B>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator-(const A& a, const B& b) {
  return detail::elementwise(minus{}, a, b);
}
template <typename A, typename B>
  requires detail::arithmetic_operands<A, B>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator*(const A& a, const B& b) {
  return detail::elementwise(multiplies{}, a, b);
}
template <typename A, typename B>
  requires detail::arithmetic_operands<A, B>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator/(const A& a, const B& b) {
  return detail::elementwise(divides{}, a, b);
}
template <random_access A>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto operator-(const A& a) {
  return map(negate{}, a);
}

/// reduce(plus{}, s, 0), in the type that the elements add up to.
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto sum(const S& s) {
  return detail::reduce_from_identity<plus, detail::combined_t<plus, S>>(s);
}

/// reduce(multiplies{}, s, 1)
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto product(const S& s) {
  return detail::reduce_from_identity<multiplies, detail::combined_t<multiplies, S>>(s);
}

/// reduce(minimum{}, s, the largest value of the type)
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto minimum_of(const S& s) {
  return detail::reduce_from_identity<minimum, typename S::value_type>(s);
}

/// reduce(maximum{}, s, the smallest value of the type)
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto maximum_of(const S& s) {
  return detail::reduce_from_identity<maximum, typename S::value_type>(s);
}

}  // namespace fettle::ndp
