// gather(s, idx): the sequence y with y[i] = s[idx[i]].
#pragma once

#include <concepts>
#include <type_traits>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/bounds.hpp>
#include <fettle/ndp/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::ndp {

template <random_access S, random_access I>
struct gathered_sequence {
  using operator_type = op::gather;
  using value_type = typename S::value_type;

  S source;
  I indices;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return indices.size(); }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    const auto at = static_cast<index_t>(indices[i]);
    check_index("gather", at, source.size());
    return source[at];
  }
};

/// As long as idx; indices may repeat, each has to lie in [0, s.size()).
template <random_access S, random_access I>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto gather(const S& source, const I& indices) {
  static_assert(std::convertible_to<typename I::value_type, index_t>,
                "gather: the second sequence holds the indices and has to be of integers");
  return gathered_sequence<S, I>{source, indices};
}

}  // namespace fettle::ndp
