// cub_operator: an operator as CUB takes it.
//
// CUB has tuned its algorithms for operators that it knows by their type, and scans sums with fewer
// instructions. It gets those where they compute what Fettle's own do, bit for bit.
#pragma once

#include <cub/version.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// op, giving the accumulator's type whatever it returns.
template <typename Op, typename T>
struct typed_operator {
  Op op;
  FETTLE_HOST_DEVICE T operator()(const T& a, const T& b) const { return static_cast<T>(op(a, b)); }
};

template <typename T>
inline constexpr bool is_number_v = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

template <typename A, typename B>
concept sums_to_first = std::is_arithmetic_v<B> && std::is_same_v<A, decltype(A() + B())>;

/// For an accumulator of type T and elements of type Element. CUB accumulates in what its operator
/// makes of both, which has to be T.
template <typename Op, typename T, typename Element = T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto cub_operator([[maybe_unused]] const Op& op) {
#if CUB_VERSION >= 200800  // CUDA 12.9; older CUB knew only its own operators
  if constexpr (std::is_same_v<Op, plus> && is_number_v<T>) {
    if constexpr (sums_to_first<T, Element> && sums_to_first<T, T>) {
      return ::cuda::std::plus<>{};
    } else {
      return ::cuda::std::plus<T>{};
    }
  } else if constexpr (std::is_same_v<Op, maximum> && is_number_v<T>) {
    return ::cuda::maximum<T>{};
  } else if constexpr (std::is_same_v<Op, minimum> && is_number_v<T> && std::is_integral_v<T>) {
    return ::cuda::minimum<T>{};  // of equal numbers the second one: not for 0.0 and -0.0
  } else {
    return typed_operator<Op, T>{op};
  }
#else
  return typed_operator<Op, T>{op};
#endif
}

}  // namespace fettle::ndp::cuda::detail
