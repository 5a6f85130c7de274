// striding(s, stride): every stride-th element of s: s[0], s[stride], s[2 stride], ...
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// strided_sequence{s, first, stride, count}[i] = s[first + i stride]; the columns of a tiling too.
template <random_access S>
struct strided_sequence {
  using operator_type = op::striding;
  using value_type = typename S::value_type;

  S source;
  index_t first;
  index_t stride;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const
    requires has_row_size<S>
  {
    return source.row_size();
  }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("striding", i, count);
    return source[first + i * stride];
  }
};

/// ceil(s.size() / stride) elements; the stride has to be positive.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto striding(const S& source, index_t stride) {
  constexpr bool sequences = random_access<S>;
  static_assert(sequences,
                "striding: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S>) {
    require_at_least("striding", "the stride has to be positive", stride, 1);
    return strided_sequence<S>{source, 0, stride, ceiling_quotient(source.size(), stride)};
  } else {
    return invalid_expression{};
  }
}

/// Refuses a stride that would be cut to an integer.
template <typename S, detail::no_integer Stride>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto striding(const S&, Stride) {
  constexpr bool integers = !detail::no_integer<Stride>;
  static_assert(integers, "striding: the stride must be an integer");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression striding(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "striding: takes two arguments, striding(sequence, stride)");
  return {};
}

}  // namespace fettle::ndp
