// range(s, e, [stride]): the values s, s + stride, s + 2 stride, ... that come before e.
#pragma once

#include <type_traits>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/bounds.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/op.hpp>

namespace fettle::ndp {

template <typename T>
struct counting_sequence {
  using operator_type = op::range;
  using value_type = T;

  T first;
  T stride;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }

  FETTLE_HOST_DEVICE constexpr T operator[](index_t i) const {
    check_index("range", i, count);
    return static_cast<T>(first + static_cast<T>(i) * stride);
  }
};

/// Empty where e does not lie on the stride's side of s. The stride may be negative, not zero.
template <typename T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr counting_sequence<T> range(
    T first, std::type_identity_t<T> end, std::type_identity_t<T> stride = T(1)) {
  require_at_least("range", "the stride is zero", stride == T(0) ? 0 : 1, 1);
  const bool up = stride > T(0);
  if (up ? !(first < end) : !(end < first)) return {first, stride, 0};
  if constexpr (std::is_integral_v<T>) {
    // Unsigned differences, so that no pair of ends overflows.
    using wide = std::uint64_t;
    const wide distance = up ? static_cast<wide>(end) - static_cast<wide>(first)
                             : static_cast<wide>(first) - static_cast<wide>(end);
    const wide step = up ? static_cast<wide>(stride) : wide{0} - static_cast<wide>(stride);
    return {first, stride, static_cast<index_t>((distance - 1) / step + 1)};
  } else {
    const T steps = (end - first) / stride;
    auto count = static_cast<index_t>(steps);
    if (static_cast<T>(count) < steps) ++count;
    return {first, stride, count};
  }
}

}  // namespace fettle::ndp
