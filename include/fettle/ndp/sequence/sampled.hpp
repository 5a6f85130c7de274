// sampled_sequence: every stride-th tile of a sequence. What a reduction with a knob `sample`
// reads.
//
// Tiles are as long as several cache lines, so that what is left out is not moved either, and
// vectors and warps read neighbours. The first tile is always there: a shorter sequence is whole.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// Elements of a tile.
inline constexpr index_t sampled_tile = 64;

/// How many of `size` elements are in every stride-th tile.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t sampled_size(index_t size, index_t stride) {
  if (size <= sampled_tile) return size;
  const index_t last = (size - 1) / (sampled_tile * stride);  // the last tile's number
  const index_t rest = size - last * sampled_tile * stride;
  return last * sampled_tile + (rest < sampled_tile ? rest : sampled_tile);
}

template <random_access S>
struct sampled_sequence {
  using value_type = typename S::value_type;

  S source;
  index_t stride;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("sampled", i, count);
    return source[i + i / sampled_tile * sampled_tile * (stride - 1)];
  }
};

template <random_access S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr sampled_sequence<S> sampled(const S& source,
                                                                       index_t stride) {
  return {source, stride, sampled_size(source.size(), stride)};
}

}  // namespace fettle::ndp
