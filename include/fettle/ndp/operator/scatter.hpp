// scatter(s, idx, d): updates d so that d[idx[i]] = s[i] for all i.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// An update, not a value: execute(scatter(s, idx, d)) takes no other destination.
template <random_access S, random_access Indices, random_access D>
struct scattered {
  using operator_type = op::scatter;
  using value_type = void;

  S source;
  Indices indices;
  D destination;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }

  FETTLE_HOST_DEVICE constexpr void update(index_t i) const {
    const auto at = static_cast<index_t>(indices[i]);
    check_index("scatter", at, destination.size());
    store(destination[at], source[i]);
  }
};

/// No index may occur twice: which of the two elements stays would depend on timing.
template <typename S, typename Indices, typename D>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto scatter(const S& source, const Indices& indices,
                                                        const D& destination) {
  static_assert(random_access<S>,
                "scatter: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a scan or a reduce_by_key first");
  static_assert(index_sequence<Indices>,
                "scatter: the second argument must be a sequence of integers, the places of the "
                "elements in the destination");
  static_assert(writable<D>,
                "scatter: the third argument is updated, but its elements are read only; make it "
                "with make_sequence from memory that is not const");
  if constexpr (random_access<S> && index_sequence<Indices> && writable<D>) {
    check_same_size("scatter", source.size(), indices.size());
    return scattered<S, Indices, D>{source, indices, destination};
  }
}

}  // namespace fettle::ndp
