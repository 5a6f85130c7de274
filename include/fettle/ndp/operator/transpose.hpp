// transpose(s): the nested sequence whose j-th row is (s[0][j], s[1][j], ...), of a nested sequence
// whose rows are equally long.
#pragma once

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/bounds.hpp>
#include <fettle/ndp/op.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::ndp {

/// The j-th element of every row of s.
template <nested S>
struct column_sequence {
  using operator_type = op::transpose;
  using row = std::remove_cvref_t<element_t<S>>;
  using value_type = typename row::value_type;

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

  /// As long as the first row of s; none where s has no row.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    return source.size() > 0 ? source[0].size() : 0;
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t j) const {
    check_index("transpose", j, size());
    return {source, j};
  }
};

template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto transpose(const S& source) {
  static_assert(nested<S>,
                "transpose: the argument must be a sequence of sequences, such as split or nest "
                "make");
  if constexpr (nested<S>) return transposed_sequence<S>{source};
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

}  // namespace fettle::ndp
