// store: puts a value into an element of a destination, converting as the assignment would; a tuple
// of references, which a zip of destinations yields, is assigned through, and an element with a
// function take() takes the value.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/tuple.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <typename First, typename... Rest, typename Value, typename... Values>
FETTLE_HOST_DEVICE constexpr void store_each(const tuple<First, Rest...>& targets,
                                             const tuple<Value, Values...>& values);

/// destination element = value
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Target, typename Value>
FETTLE_HOST_DEVICE constexpr void store(Target&& target, const Value& value) {
  if constexpr (std::is_lvalue_reference_v<Target>) {
    static_assert(std::is_convertible_v<const Value&, std::remove_reference_t<Target>>,
                  "execute: the results do not convert to the destination's elements");
    if constexpr (std::is_convertible_v<const Value&, std::remove_reference_t<Target>>) {
      target = static_cast<std::remove_reference_t<Target>>(value);
    }
  } else if constexpr (requires { target.take(value); }) {
    target.take(value);
  } else {
    store_each(target, value);
  }
}

/// Each reference in `targets` = the value of the same index in `values`.
template <typename First, typename... Rest, typename Value, typename... Values>
FETTLE_HOST_DEVICE constexpr void store_each(const tuple<First, Rest...>& targets,
                                             const tuple<Value, Values...>& values) {
  static_assert(sizeof...(Rest) == sizeof...(Values),
                "execute: the results and the elements of the zipped destination have different "
                "numbers of values");
  if constexpr (std::is_lvalue_reference_v<First>) {
    store<First>(targets.first, values.first);
  } else {
    store_each(targets.first, values.first);  // a zip in a zip
  }
  if constexpr (sizeof...(Rest) > 0 && sizeof...(Rest) == sizeof...(Values)) {
    store_each(targets.rest, values.rest);
  }
}

}  // namespace fettle::ndp
