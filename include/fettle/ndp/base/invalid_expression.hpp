// invalid_expression: what the functions of the layer return after a failed check of their
// arguments, so that one misuse is one message.
//
// They accept it as any argument and return it again, without a second message; a program may
// convert it to any type.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// What a call with wrong arguments yields, after its error.
struct invalid_expression {
  using value_type = invalid_expression;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return 0; }
  FETTLE_HOST_DEVICE constexpr invalid_expression operator[](index_t /*i*/) const { return {}; }

  template <typename T>
  FETTLE_HOST_DEVICE operator T() const {
    for (;;) {
    }
  }
};

namespace detail {

/// A check of one of these arguments has failed, and has been reported.
template <typename... T>
inline constexpr bool any_invalid_v =
    (std::is_same_v<std::remove_cvref_t<T>, invalid_expression> || ...);

}  // namespace detail

}  // namespace fettle::ndp
