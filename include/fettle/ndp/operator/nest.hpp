// nest(s, offsets): the nested sequence whose i-th row is s[offsets[i]] ... s[offsets[i+1] - 1]:
// rows of any lengths, as in a sparse matrix in CSR form.
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S, random_access O>
struct nested_sequence {
  using operator_type = op::nest;
  using value_type = decltype(subsequence(std::declval<const S&>(), index_t{}, index_t{}));

  S source;
  O offsets;
  row_statistics rows{};  // for default rules

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    return offsets.size() > 0 ? offsets.size() - 1 : 0;
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_begin(index_t i) const {
    return static_cast<index_t>(offsets[i]);
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t i) const {
    check_index("nest", i, size());
    const index_t begin = row_begin(i);
    const index_t end = row_begin(i + 1);
    if constexpr (checked) {
      require_at_least("nest", "offsets must not be negative: offset", begin, 0);
      require_at_least("nest", "offsets must not decrease: row length", end - begin, 0);
      require_at_least("nest", "offsets must not exceed the source's length: source length",
                       source.size(), end);
    }
    return subsequence(source, begin, end - begin);
  }
};

/// One row fewer than there are offsets, which must not decrease and end at most at s.size(). What
/// is known of the rows' lengths may be given: it helps untuned computations.
template <typename S, typename O>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto nest(const S& source, const O& offsets,
                                                     const row_statistics& rows = {}) {
  constexpr bool sequences = random_access<S>;
  constexpr bool integers = index_sequence<O> || detail::any_invalid_v<O>;
  static_assert(sequences,
                "nest: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  static_assert(integers,
                "nest: the second argument must be a sequence of integers, the offsets at which "
                "the rows begin");
  if constexpr (sequences && integers && !detail::any_invalid_v<S, O>) {
    return nested_sequence<S, O>{source, offsets, rows};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) < 2 || sizeof...(Arguments) > 3)
FETTLE_HOST_DEVICE constexpr invalid_expression nest(const Arguments&... /*arguments*/) {
  static_assert(
      sizeof...(Arguments) == 2,
      "nest: takes two or three arguments, nest(sequence, offsets, what inspect_rows has found)");
  return {};
}

}  // namespace fettle::ndp
