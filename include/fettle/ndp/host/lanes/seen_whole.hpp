// seen_whole: whether the compiler sees all that an operator does. It cannot vectorise a loop that
// calls a function it does not see, such as exp().
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// The number, of which the compiler forgets all; used so, it has to be computed.
template <typename Number>
[[gnu::always_inline]] inline Number any_value(Number number) {
  asm volatile("" : "+r"(number));
  return number;
}

// All numbers of a value become unknown to the compiler.
template <ndp::detail::of_numbers T>
[[gnu::always_inline]] inline void make_unknown(T& value) {
  ndp::detail::with_fields(value, [](auto&... numbers) { ((numbers = any_value(numbers)), ...); });
}

/// Known when compiled, because a function that is not seen may write to memory that others know:
/// the compiler knows the number there afterwards only if nothing else was called. False without
/// optimisation. The operator is not called. (In a separate function, because what it adds to
/// the code around it may keep that from being vectorised.)
template <ndp::detail::of_numbers T, typename Op>
[[nodiscard, gnu::noinline]] bool is_seen_whole(const Op& op) {
  int number = 0;
  int* known = &number;
  bool never = false;
  asm("" : "+r"(known), "+r"(never));  // the compiler may assume nothing of either
  *known = 1;
  if (never) {
    T a{};
    T b{};
    make_unknown(a);
    make_unknown(b);
    const T result = op(a, b);
    ndp::detail::with_fields(result, [](const auto&... numbers) { (any_value(numbers), ...); });
  }
  return __builtin_constant_p(*known);
}

}  // namespace fettle::ndp::host::detail
