// replicate(v, len): the sequence of length len whose every element is v.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <typename T>
struct constant_sequence {
  using operator_type = op::replicate;
  using value_type = T;

  T value;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const
    requires sequence_like<T>
  {
    return value.size();
  }

  FETTLE_HOST_DEVICE constexpr T operator[](index_t i) const {
    check_index("replicate", i, count);
    return value;
  }
};

/// v may itself be a sequence.
template <typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr constant_sequence<T> replicate(T value, index_t length) {
  require_at_least("replicate", "negative length", length, 0);
  return {value, length};
}

/// Refuses a length that would be cut to an integer.
template <typename T, detail::no_integer Length>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto replicate(const T&, Length) {
  constexpr bool integers = !detail::no_integer<Length>;
  static_assert(integers, "replicate: the length must be an integer");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression replicate(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "replicate: takes two arguments, replicate(value, length)");
  return {};
}

}  // namespace fettle::ndp
