// scatter(s, idx, d): updates d so that d[idx[i]] = s[i] for all i.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
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
  constexpr bool sequences = random_access<S>;
  constexpr bool integers = index_sequence<Indices> || detail::any_invalid_v<Indices>;
  constexpr bool updates = writable<D> || detail::any_invalid_v<D>;
  static_assert(sequences,
                "scatter: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  static_assert(integers,
                "scatter: the second argument must be a sequence of integers, the indices "
                "of the elements in the destination");
  static_assert(
      updates,
      "scatter: the third argument is updated: it must be a sequence, which make_sequence "
      "makes, of memory that is not const");
  if constexpr (sequences && integers && updates && !detail::any_invalid_v<S, Indices, D>) {
    check_same_size("scatter", source.size(), indices.size());
    return scattered<S, Indices, D>{source, indices, destination};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 3)
FETTLE_HOST_DEVICE constexpr invalid_expression scatter(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "scatter: takes three arguments, scatter(sequence, indices, destination)");
  return {};
}

}  // namespace fettle::ndp
