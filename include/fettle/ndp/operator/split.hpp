// split(s, l): the nested sequence of s's tiles of length l; the last one may be shorter.
#pragma once

#include <cstdint>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S>
struct tiled_sequence {
  using operator_type = op::split;
  using value_type = decltype(subsequence(std::declval<const S&>(), index_t{}, index_t{}));

  S source;
  index_t tile_size;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    return ceiling_quotient(source.size(), tile_size);
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const { return tile_size; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_begin(index_t i) const {
    // Unsigned, because the product exceeds the last tile's end by up to a tile.
    const auto begin = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(tile_size);
    const index_t end = source.size();
    return begin < static_cast<std::uint64_t>(end) ? static_cast<index_t>(begin) : end;
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t i) const {
    check_index("split", i, size());
    // Where a tile begins needs no comparison: none begins behind the source's end.
    const index_t begin = i * tile_size;
    const index_t rest = source.size() - begin;
    return subsequence(source, begin, tile_size < rest ? tile_size : rest);
  }
};

/// ceil(s.size() / l) tiles; l has to be positive.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto split(const S& source, index_t tile_size) {
  constexpr bool sequences = random_access<S>;
  static_assert(sequences,
                "split: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S>) {
    require_at_least("split", "the tile length has to be positive", tile_size, 1);
    return tiled_sequence<S>{source, tile_size};
  } else {
    return invalid_expression{};
  }
}

/// Refuses a tile length that would be cut to an integer.
template <typename S, detail::no_integer Length>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto split(const S&, Length) {
  constexpr bool integers = !detail::no_integer<Length>;
  static_assert(integers, "split: the tile length must be an integer");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 2)
FETTLE_HOST_DEVICE constexpr invalid_expression split(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 2,
                "split: takes two arguments, split(sequence, tile length)");
  return {};
}

}  // namespace fettle::ndp
