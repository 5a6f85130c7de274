// partial_value: what a reduction has of a row so far, which may be nothing.
//
// Where the operator's identity is known, "nothing" is the identity and costs nothing to handle;
// otherwise a flag says whether there is a value, because an associative operator need not have an
// identity. Values are appended on the right, so order is kept. Needs no CUDA.
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether partial results of a reduction or scan can be combined with each other and handed from
/// thread to thread: the operator takes two of its results, and an element converts to one.
template <typename Op, typename S, typename P>
inline constexpr bool can_combine_v = [] {
  using value = accumulator_t<Op, S, P>;
  if constexpr (std::is_trivially_copyable_v<value> && std::is_default_constructible_v<value> &&
                std::is_constructible_v<value, element_t<S>> &&
                std::is_invocable_v<const Op&, const value&, const value&>) {
    return std::convertible_to<std::invoke_result_t<const Op&, const value&, const value&>, value>;
  } else {
    return false;
  }
}();

template <typename R>
inline constexpr bool is_combinable_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool is_combinable_v<reduced<Op, S, P>> = can_combine_v<Op, S, P>;
template <typename Op, typename S, typename P, typename Tag>
inline constexpr bool is_combinable_v<scanned_sequence<Op, S, P, Tag>> = can_combine_v<Op, S, P>;

/// Only of arithmetic types is an operator's identity taken: of others it may not be what it says.
template <typename Op, typename T>
inline constexpr bool uses_identity_v = [] {
  if constexpr (std::is_arithmetic_v<T>) {
    return has_identity_v<Op, T>;
  } else {
    return false;
  }
}();

template <typename Op, typename T>
struct partial_value {
  T value{};
  bool there = false;

  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr partial_value none() { return {}; }
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr partial_value of(const T& value) {
    return {value, true};
  }

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  FETTLE_HOST_DEVICE constexpr void append(const Op& op, const T& right) {
    value = there ? static_cast<T>(op(value, right)) : right;
    there = true;
  }
  FETTLE_HOST_DEVICE constexpr void append(const Op& op, const partial_value& right) {
    if (right.there) append(op, right.value);
  }
};

template <typename Op, typename T>
  requires uses_identity_v<Op, T>
struct partial_value<Op, T> {
  T value;

  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr partial_value none() {
    return {Op::template identity<T>()};
  }
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr partial_value of(const T& value) {
    return {value};
  }

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  FETTLE_HOST_DEVICE constexpr void append(const Op& op, const T& right) {
    value = static_cast<T>(op(value, right));
  }
  FETTLE_HOST_DEVICE constexpr void append(const Op& op, const partial_value& right) {
    append(op, right.value);
  }
};

/// A partial value that lies in memory, field by field: a copy as a whole would also read the bytes
/// between the fields, which are uninitialised.
template <typename Op, typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr partial_value<Op, T> read_partial(
    const partial_value<Op, T>& from) {
  if constexpr (uses_identity_v<Op, T>) {
    return {from.value};
  } else {
    return {from.value, from.there};
  }
}

/// left, then right.
template <typename Op, typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr partial_value<Op, T> joined(
    const Op& op, partial_value<Op, T> left, const partial_value<Op, T>& right) {
  left.append(op, right);
  return left;
}

}  // namespace fettle::ndp::cuda::detail
