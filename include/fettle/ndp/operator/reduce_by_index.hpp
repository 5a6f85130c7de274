// reduce_by_index(op, s, k, bins, p): the sequence y with y[b] = p op (all s[i] for which k[i] is
// b), in their order, for b in [0, bins). histogram(k, bins): how many k[i] are b.
//
// Indices outside [0, bins) are ignored, on every platform.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <typename Op, random_access S, index_sequence Indices, typename P>
struct reduced_by_index {
  using operator_type = op::reduce_by_index;
  using value_type = accumulator_t<Op, S, P>;

  Op op;
  S source;
  Indices indices;
  index_t bins;
  P seed;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return bins; }

  /// The bin of element i; negative where it has none.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t bin_of(index_t i) const {
    const auto bin = static_cast<index_t>(indices[i]);
    const bool there = static_cast<std::uint64_t>(bin) < static_cast<std::uint64_t>(bins);
    return there ? bin : -1;
  }
};

/// E is a reduce_by_index.
template <typename E>
inline constexpr bool is_reduced_by_index_v = false;
template <typename Op, typename S, typename Indices, typename P>
inline constexpr bool is_reduced_by_index_v<reduced_by_index<Op, S, Indices, P>> = true;

/// Cost: one call of op an element, and one a bin and thread.
template <typename Op, typename S, typename Indices, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce_by_index(Op op, const S& source,
                                                                const Indices& indices,
                                                                index_t bins, P seed) {
  constexpr bool integers = index_sequence<Indices> || detail::any_invalid_v<Indices>;
  static_assert(integers,
                "reduce_by_index, histogram: the indices must be a sequence of integers, the bins "
                "of the elements; make one with make_sequence; for values, map them to their bins");
  if constexpr (!integers || detail::any_invalid_v<Indices>) {
    return invalid_expression{};
  } else if constexpr (detail::check_reduction<Op, S, P>()) {
    constexpr bool has_values = !sequence_like<accumulator_t<Op, S, P>>;
    static_assert(has_values,
                  "reduce_by_index: the elements are rows; sort them by their index and use "
                  "reduce_by_key, which adds up rows");
    if constexpr (has_values) {
      check_same_size("reduce_by_index", source.size(), indices.size());
      require_at_least("reduce_by_index", "negative number of bins", bins, 0);
      return reduced_by_index<Op, S, Indices, P>{op, source, indices, bins, seed};
    } else {
      return invalid_expression{};
    }
  } else {
    return invalid_expression{};
  }
}

/// Refuses a number of bins that would be cut to an integer.
template <typename Op, typename S, typename Indices, detail::no_integer Bins, typename P>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto reduce_by_index(const Op&, const S&, const Indices&,
                                                                Bins, const P&) {
  constexpr bool integers = !detail::no_integer<Bins>;
  static_assert(integers, "reduce_by_index: the number of bins must be an integer");
  return invalid_expression{};
}

/// Counts are index_t.
template <typename Indices>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto histogram(const Indices& indices, index_t bins) {
  if constexpr (index_sequence<Indices> && !detail::any_invalid_v<Indices>) {
    return reduce_by_index(plus{}, replicate(index_t{1}, indices.size()), indices, bins,
                           index_t{0});
  } else {
    return reduce_by_index(plus{}, replicate(index_t{1}, 0), indices, bins, index_t{0});
  }
}

/// Refuses a number of bins that would be cut to an integer.
template <typename Indices, detail::no_integer Bins>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto histogram(const Indices&, Bins) {
  constexpr bool integers = !detail::no_integer<Bins>;
  static_assert(integers, "histogram: the number of bins must be an integer");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 5)
FETTLE_HOST_DEVICE constexpr invalid_expression reduce_by_index(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 5,
                "reduce_by_index: takes five arguments, reduce_by_index(operator, sequence, "
                "indices, number of bins, seed)");
  return {};
}
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression histogram(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "histogram: takes two arguments, histogram(indices, number of bins)");
  return {};
}

}  // namespace fettle::ndp
