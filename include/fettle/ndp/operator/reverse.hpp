// reverse(s): the elements of s from the last to the first.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S>
struct reversed_sequence {
  using operator_type = op::reverse;
  using value_type = typename S::value_type;

  S source;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const
    requires has_row_size<S>
  {
    return source.row_size();
  }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("reverse", i, size());
    return source[source.size() - 1 - i];
  }
};

template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reverse(const S& source) {
  constexpr bool sequences = random_access<S>;
  static_assert(sequences,
                "reverse: the argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S>) {
    return reversed_sequence<S>{source};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 1)
FETTLE_HOST_DEVICE constexpr invalid_expression reverse(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 1, "reverse: takes one argument, reverse(sequence)");
  return {};
}

}  // namespace fettle::ndp
