// optional_value<T>: a value or none, and an operator on them of which "none" is the identity: what
// a part of a reduction begins with where the operator's own identity is not known.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/operator_traits.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

template <typename T>
struct optional_value {
  T value;
  bool exists;
};

/// To one, from an element of a source.
template <typename T>
struct to_optional {
  template <typename Element>
  FETTLE_HOST_DEVICE constexpr optional_value<T> operator()(const Element& element) const {
    return {static_cast<T>(element), true};
  }
};

/// a op b; the other one where there is one only.
template <typename Op, typename T>
struct combine_optional {
  static constexpr bool is_commutative = is_commutative_v<Op>;

  Op op;

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  FETTLE_HOST_DEVICE constexpr optional_value<T> operator()(const optional_value<T>& a,
                                                            const optional_value<T>& b) const {
    if (!a.exists) return b;
    if (!b.exists) return a;
    return {static_cast<T>(op(a.value, b.value)), true};
  }
};

}  // namespace fettle::ndp::devices::detail
