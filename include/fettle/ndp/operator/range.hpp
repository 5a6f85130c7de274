// range(s, e, [stride]): the values s, s + stride, s + 2 stride, ... that come before e.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// In place of a stride of one, so that compilers see that neighbours follow each other in memory
/// that is read by such indices.
struct unit_stride {
  static constexpr index_t value = 1;
};

namespace detail {

// a + i b modulo a power of two: the elements fit T, the product on the way to them may not.
template <typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr T counted(T first, index_t i, T stride) {
  if constexpr (std::is_integral_v<T>) {
    using wide = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
    return static_cast<T>(static_cast<wide>(first) +
                          static_cast<wide>(i) * static_cast<wide>(stride));
  } else {
    return first + static_cast<T>(i) * stride;
  }
}

}  // namespace detail

template <typename T, typename Stride = T>
struct counting_sequence {
  using operator_type = op::range;
  using value_type = T;

  T first;
  T stride;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }

  FETTLE_HOST_DEVICE constexpr T operator[](index_t i) const {
    check_index("range", i, count);
    return detail::counted(first, i, stride);
  }
};

template <typename T>
struct counting_sequence<T, unit_stride> {
  using operator_type = op::range;
  using value_type = T;

  T first;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }

  FETTLE_HOST_DEVICE constexpr T operator[](index_t i) const {
    check_index("range", i, count);
    return detail::counted(first, i, T(1));
  }
};

namespace detail {

// Not in the function: nvcc takes no function of the standard library's in one for kernels.
inline constexpr index_t most_elements = std::numeric_limits<index_t>::max();

template <std::integral T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t range_length(T first, T end, T stride) {
  // Unsigned differences, so that no pair of ends overflows.
  using wide = std::uint64_t;
  const bool up = stride > T(0);
  const wide distance = up ? static_cast<wide>(end) - static_cast<wide>(first)
                           : static_cast<wide>(first) - static_cast<wide>(end);
  const wide step = up ? static_cast<wide>(stride) : wide{0} - static_cast<wide>(stride);
  const wide steps = (distance - 1) / step;
  const index_t most = most_elements;
  if (steps >= static_cast<wide>(most)) {
    fail("range", "more elements than a 64-bit index counts", most, most);
  }
  return static_cast<index_t>(steps) + 1;
}

template <std::floating_point T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t range_length(T first, T end, T stride) {
  const T steps = (end - first) / stride;
  // Also false where an end or the stride is not finite.
  if (!(steps < T(std::int64_t{1} << 62))) {
    fail("range", "more elements than a 64-bit index counts", std::int64_t{1} << 62,
         std::int64_t{1} << 62);
  }
  auto count = static_cast<index_t>(steps);
  // The quotient is rounded; what decides is whether the element itself comes before the end.
  const auto before_end = [&](index_t i) {
    const T element = first + static_cast<T>(i) * stride;
    return stride > T(0) ? element < end : end < element;
  };
  if (count > 0 && !before_end(count - 1)) --count;
  if (before_end(count)) ++count;
  return count;
}

template <typename T, typename... Arguments>
struct range_element {
  using type = std::conditional_t<std::is_void_v<T>, std::common_type_t<Arguments...>, T>;
  static_assert(std::is_arithmetic_v<type> && !std::is_same_v<type, bool>,
                "range: the elements have to be numbers");
};
template <typename T, typename... Arguments>
using range_element_t = typename range_element<T, Arguments...>::type;

/// An argument as an element. A negative one is none of an unsigned type, which is the common one
/// of signed and unsigned integers.
template <typename Element, typename Argument>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr Element as_range_element(Argument x) {
  if constexpr (std::is_unsigned_v<Element> && std::is_signed_v<Argument>) {
    require_at_least("range",
                     "negative, but the arguments' common type is unsigned: name one, as in "
                     "range<long>(first, end)",
                     static_cast<index_t>(x), 0);
  }
  return static_cast<Element>(x);
}

}  // namespace detail

/// s, s + 1, s + 2, ...; empty where e is not greater than s. The elements have the common type of
/// the arguments; range<T>(s, e) names another.
template <typename T = void, typename First, typename End>
  requires(std::is_arithmetic_v<First> && std::is_arithmetic_v<End>)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto range(First first, End end) {
  using element = detail::range_element_t<T, First, End>;
  const auto a = detail::as_range_element<element>(first);
  const auto b = detail::as_range_element<element>(end);
  return counting_sequence<element, unit_stride>{
      a, a < b ? detail::range_length(a, b, element(1)) : index_t{0}};
}

/// The same with a stride, negative or positive, not zero; empty where e does not lie on its side
/// of s.
template <typename T = void, typename First, typename End, typename Stride>
  requires(std::is_arithmetic_v<First> && std::is_arithmetic_v<End> && std::is_arithmetic_v<Stride>)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto range(First first, End end, Stride stride) {
  using element = detail::range_element_t<T, First, End, Stride>;
  const auto a = detail::as_range_element<element>(first);
  const auto b = detail::as_range_element<element>(end);
  const auto step = detail::as_range_element<element>(stride);
  const bool up = step > element(0);
  require_at_least("range", "the stride is zero or not a number", up || step < element(0) ? 1 : 0,
                   1);
  if (up ? !(a < b) : !(b < a)) return counting_sequence<element>{a, step, 0};
  return counting_sequence<element>{a, step, detail::range_length(a, b, step)};
}

/// Any other number or type of arguments is an error.
template <typename T = void, typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3 ||
           !(std::is_arithmetic_v<Arguments> && ...))
FETTLE_HOST_DEVICE constexpr invalid_expression range(const Arguments&... /*arguments*/) {
  constexpr bool numbers = sizeof...(Arguments) == 2 && (std::is_arithmetic_v<Arguments> && ...);
  static_assert(numbers,
                "range: takes two or three numbers, range(first, end, stride), such as "
                "range(0, n); the stride is 1 where it is left out");
  return {};
}

}  // namespace fettle::ndp
