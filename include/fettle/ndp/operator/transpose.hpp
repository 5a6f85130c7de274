// transpose(s), transpose(s, columns): the nested sequence whose j-th row is
// (s[0][j], s[1][j], ...), of a nested sequence whose rows are equally long.
//
// A result's length must be known without reading elements, which may lie in a GPU's memory: rows
// that do not know theirs, those of nest among them, need the number of columns.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The j-th element of every row of s.
template <nested S>
struct column_sequence {
  using operator_type = op::transpose;
  using value_type = typename std::remove_cvref_t<element_t<S>>::value_type;

  S source;
  index_t column;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("transpose", i, source.size());
    if constexpr (checked) check_index("transpose: row too short", column, source[i].size());
    return source[i][column];
  }
};

template <nested S>
struct transposed_sequence {
  using operator_type = op::transpose;
  using value_type = column_sequence<S>;

  S source;
  index_t columns;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return columns; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const { return source.size(); }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t j) const {
    check_index("transpose", j, columns);
    return {source, j};
  }
};

namespace detail {

template <typename S>
[[nodiscard]] consteval bool check_transposed() {
  constexpr bool sequences_of_sequences = nested<S>;
  static_assert(sequences_of_sequences,
                "transpose: the argument must be a sequence of sequences, such as split or nest "
                "make");
  return sequences_of_sequences && !any_invalid_v<S>;
}

}  // namespace detail

/// Every row of s has at least `columns` elements; what lies behind them is left out.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto transpose(const S& source, index_t columns) {
  if constexpr (detail::check_transposed<S>()) {
    require_at_least("transpose", "negative number of columns", columns, 0);
    return transposed_sequence<S>{source, columns};
  } else {
    return invalid_expression{};
  }
}

template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto transpose(const S& source) {
  if constexpr (detail::check_transposed<S>()) {
    constexpr bool sized = has_row_size<S>;
    static_assert(sized,
                  "transpose: these rows do not say how long they are without being read: give the "
                  "number of columns too, transpose(rows, columns)");
    if constexpr (sized) {
      return transposed_sequence<S>{source, source.row_size()};
    } else {
      return invalid_expression{};
    }
  } else {
    return invalid_expression{};
  }
}

/// A tiling's transpose and a cyclic distribution are each other's, also where the last tile is
/// short.
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr cyclic_sequence<S> transpose(
    const tiled_sequence<S>& tiles) {
  return {tiles.source, tiles.tile_size};
}
template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr tiled_sequence<S> transpose(
    const cyclic_sequence<S>& cycles) {
  return {cycles.source, cycles.tile_size};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) == 0 || sizeof...(Arguments) > 2)
FETTLE_HOST_DEVICE constexpr invalid_expression transpose(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 1,
                "transpose: takes one or two arguments, transpose(sequence, number of columns); "
                "the number may be left out for rows of one length, such as split's");
  return {};
}

}  // namespace fettle::ndp
