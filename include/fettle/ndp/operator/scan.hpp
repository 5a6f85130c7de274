// scan(op, s, p): the sequence y with y[0] = p and y[i] = y[i-1] op s[i-1], for an associative
// operator: the exclusive prefix sums seeded with p. It is as long as s; the sum of all of s is not
// in it.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Has a length but no subscript: its elements come one after the other. execute realises it into a
/// destination.
template <typename Op, random_access S, typename P>
struct scanned_sequence {
  using operator_type = op::scan;
  using inner_type = accumulator_t<Op, S, P>;
  using value_type = inner_type;

  Op op;
  S source;
  P seed;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }

  /// value = p; for (i) { visit(i, value); value = op(value, s[i]); }
  /// An element is read before its position is visited, so a scan may overwrite its source.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Visit>
  FETTLE_HOST_DEVICE constexpr void for_each_serial(Visit&& visit) const {
    auto value = static_cast<value_type>(seed);
    const index_t count = size();
    for (index_t i = 0; i < count; ++i) {
      auto next = static_cast<value_type>(op(value, source[i]));
      visit(i, value);
      value = next;
    }
  }
};

/// E is a scan.
template <typename E>
inline constexpr bool is_scanned_v = false;
template <typename Op, typename S, typename P>
inline constexpr bool is_scanned_v<scanned_sequence<Op, S, P>> = true;

/// Cost: one call of op an element when realised serially, two when in parallel.
template <typename Op, typename S, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto scan(Op op, const S& source, P seed) {
  if constexpr (detail::check_reduction<Op, S, P>()) {
    return scanned_sequence<Op, S, P>{op, source, seed};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error; mostly the seed is missing.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 3)
FETTLE_HOST_DEVICE constexpr invalid_expression scan(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "scan: takes three arguments, scan(operator, sequence, seed); the seed, which must "
                "not be left out, is the first element of the result, such as 0.0 for plus");
  return {};
}

}  // namespace fettle::ndp
