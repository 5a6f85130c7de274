// key_changes: how many runs of equal keys begin in a part of the keys, and where the first one
// does: what a reduce_by_key has to know of its parts before any of them writes.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/devices/optional_value.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::devices::detail {

/// Beginnings of runs: their number, and the first one; an index beyond all others where none is.
struct run_beginnings {
  index_t count;
  index_t first;
};

struct add_beginnings {
  static constexpr bool is_commutative = true;
  FETTLE_HOST_DEVICE constexpr run_beginnings operator()(const run_beginnings& a,
                                                         const run_beginnings& b) const {
    return {a.count + b.count, a.first < b.first ? a.first : b.first};
  }
};

/// Whether a run begins at index i, which has `key` and comes after `before`.
struct key_change {
  index_t beyond;

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Key>
  FETTLE_HOST_DEVICE constexpr run_beginnings operator()(const Key& key, const Key& before,
                                                         index_t i) const {
    if (key == before) return {0, beyond};
    return {1, i};
  }
};

/// destination element = element op rest: a run that goes on in the next part.
template <typename Op, typename T>
struct continue_run {
  Op op;
  const optional_value<T>* rest;

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Element>
  FETTLE_HOST_DEVICE constexpr T operator()(const Element& element) const {
    return static_cast<T>(op(static_cast<T>(element), rest->value));
  }
};

}  // namespace fettle::ndp::devices::detail
