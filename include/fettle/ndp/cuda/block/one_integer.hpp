// is_one_integer_v: sequences whose elements are all the same integer, so that a sum of them is
// their number times the integer, and 32 bits may count them.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/operator/replicate.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename S>
inline constexpr bool is_one_integer_v = false;
template <typename T>
inline constexpr bool is_one_integer_v<constant_sequence<T>> = std::is_integral_v<T>;

}  // namespace fettle::ndp::cuda::detail
