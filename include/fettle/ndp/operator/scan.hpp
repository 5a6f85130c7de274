// scan(op, s, p): the sequence y with y[0] = p and y[i] = y[i-1] op s[i-1], for an associative
// operator: the exclusive prefix sums seeded with p. It is as long as s; the sum of all of s is not
// in it. inclusive_scan(op, s, p): the sequence y with y[i] = p op s[0] op ... op s[i]; its last
// element is the sum of all. Without p both begin with the operator's identity.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Has a length but no subscript: its elements come one after the other. execute realises it into a
/// destination.
template <typename Op, random_access S, typename P, operator_tag Tag = op::scan>
struct scanned_sequence {
  using operator_type = Tag;
  using inner_type = accumulator_t<Op, S, P>;
  using value_type = inner_type;

  /// Whether element i of the result contains s[i].
  static constexpr bool is_inclusive = std::is_same_v<Tag, op::inclusive_scan>;

  Op op;
  S source;
  P seed;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }

  /// value = p; for (i) { visit(i, value); value = op(value, s[i]); }, inclusive: visits
  /// afterwards. An element is read before its position is visited, so a scan may overwrite its
  /// source.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename Visit>
  FETTLE_HOST_DEVICE constexpr void for_each_serial(Visit&& visit) const {
    auto value = static_cast<value_type>(seed);
    const index_t count = size();
    for (index_t i = 0; i < count; ++i) {
      auto next = static_cast<value_type>(op(value, source[i]));
      visit(i, is_inclusive ? next : value);
      value = next;
    }
  }
};

/// E is a scan.
template <typename E>
inline constexpr bool is_scanned_v = false;
template <typename Op, typename S, typename P, typename Tag>
inline constexpr bool is_scanned_v<scanned_sequence<Op, S, P, Tag>> = true;

namespace detail {

template <typename Tag, typename Op, typename S, typename P>
FETTLE_HOST_DEVICE constexpr auto scan_as(const Op& op, const S& source, P seed) {
  if constexpr (check_reduction<Op, S, P>()) {
    return scanned_sequence<Op, S, P, Tag>{op, source, seed};
  } else {
    return invalid_expression{};
  }
}
template <typename Tag, typename Op, typename S>
FETTLE_HOST_DEVICE constexpr auto scan_as(const Op& op, const S& source) {
  if constexpr (!random_access<S>) {
    return scan_as<Tag>(op, source, 0);  // which is an error
  } else if constexpr (check_seedless<Op, S>()) {
    return scan_as<Tag>(op, source, identity_v<Op, combined_t<Op, S>>);
  } else {
    return invalid_expression{};
  }
}

}  // namespace detail

/// Cost: one call of op an element when realised serially, two when in parallel.
template <typename Op, typename S, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto scan(Op op, const S& source, P seed) {
  return detail::scan_as<op::scan>(op, source, seed);
}
/// Begins with the operator's identity for what two elements combine to: 0 for plus.
template <typename Op, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto scan(Op op, const S& source) {
  return detail::scan_as<op::scan>(op, source);
}

/// The scan in which element i contains s[i]: the last one is the reduction of all of s.
template <typename Op, typename S, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto inclusive_scan(Op op, const S& source, P seed) {
  return detail::scan_as<op::inclusive_scan>(op, source, seed);
}
template <typename Op, typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto inclusive_scan(Op op, const S& source) {
  return detail::scan_as<op::inclusive_scan>(op, source);
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression scan(const Arguments&... /*arguments*/) {
  static_assert(
      sizeof...(Arguments) == 3,
      "scan: takes three arguments, scan(operator, sequence, seed); the seed is the first "
      "element of the result, such as 0.0 for plus; left out, it is the operator's "
      "identity");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression inclusive_scan(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "inclusive_scan: takes three arguments, inclusive_scan(operator, sequence, seed); "
                "the seed is combined with every element of the result; left out, it is the "
                "operator's identity");
  return {};
}

}  // namespace fettle::ndp
