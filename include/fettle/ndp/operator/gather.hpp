// gather(s, idx): the sequence y with y[i] = s[idx[i]].
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/bound_row.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S, random_access Indices>
struct gathered_sequence {
  using operator_type = op::gather;
  using value_type = typename S::value_type;

  S source;
  Indices indices;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return indices.size(); }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const
    requires has_row_size<S>
  {
    return source.row_size();
  }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    const auto at = static_cast<index_t>(indices[i]);
    check_index("gather", at, source.size());
    return source[at];
  }
};

namespace detail {

template <typename S, typename Indices>
  requires(is_bound_v<S> || is_bound_v<Indices>)
struct without_teams<gathered_sequence<S, Indices>> {
  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr auto of(
      const gathered_sequence<S, Indices>& s) {
    return gathered_sequence<without_teams_t<S>, without_teams_t<Indices>>{unbound(s.source),
                                                                           unbound(s.indices)};
  }
};

}  // namespace detail

/// As long as idx; indices may repeat, each has to lie in [0, s.size()).
template <typename S, typename Indices>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto gather(const S& source, const Indices& indices) {
  constexpr bool sequences = random_access<S>;
  constexpr bool integers = index_sequence<Indices> || detail::any_invalid_v<Indices>;
  static_assert(sequences,
                "gather: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  static_assert(integers,
                "gather: the second argument must be a sequence of integers, the indices of the "
                "elements to take");
  if constexpr (sequences && integers && !detail::any_invalid_v<S, Indices>) {
    return gathered_sequence<S, Indices>{source, indices};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression gather(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "gather: takes two arguments, gather(sequence, indices)");
  return {};
}

}  // namespace fettle::ndp
