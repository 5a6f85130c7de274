// cyclic(s, l): the nested sequence that is the transpose of split(s, l): l sequences, of which the
// k-th is s[k], s[k + l], s[k + 2 l], ...
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S>
struct cyclic_sequence {
  using operator_type = op::cyclic;
  using value_type = strided_sequence<S>;

  S source;
  index_t tile_size;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return tile_size; }
  /// Of the first one, the longest.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const {
    return ceiling_quotient(source.size(), tile_size);
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t k) const {
    check_index("cyclic", k, tile_size);
    // The quotient is the same for all of them: a loop over them divides once.
    const index_t full = source.size() / tile_size;
    return {source, k, tile_size, full + (k < source.size() - full * tile_size ? 1 : 0)};
  }
};

/// Always l sequences, the last of them empty where s is shorter than l; l has to be positive.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto cyclic(const S& source, index_t tile_size) {
  constexpr bool sequences = random_access<S>;
  static_assert(sequences,
                "cyclic: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S>) {
    require_at_least("cyclic", "the tile length has to be positive", tile_size, 1);
    return cyclic_sequence<S>{source, tile_size};
  } else {
    return invalid_expression{};
  }
}

/// Refuses a tile length that would be cut to an integer.
template <typename S, detail::no_integer Length>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto cyclic(const S&, Length) {
  constexpr bool integers = !detail::no_integer<Length>;
  static_assert(integers, "cyclic: the tile length must be an integer");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression cyclic(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "cyclic: takes two arguments, cyclic(sequence, tile length)");
  return {};
}

}  // namespace fettle::ndp
