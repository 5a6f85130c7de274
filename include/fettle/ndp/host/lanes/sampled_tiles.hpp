// sampled_tiles: a sampled sequence tile by tile, each of which is consecutive elements of its
// source.
#pragma once

#include <algorithm>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>
#include <fettle/ndp/sequence/sampled.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename S>
struct rows_of<sampled_sequence<S>> {
  static constexpr bool found = true;
  static constexpr bool has_border = false;

  [[nodiscard]] static index_t width(const sampled_sequence<S>& /*s*/) { return sampled_tile; }
  [[nodiscard]] static column_range inside(const sampled_sequence<S>& /*s*/, index_t /*r*/,
                                           index_t width) {
    return {0, width};
  }
  [[nodiscard]] static bool is_row_inside(const sampled_sequence<S>& /*s*/, index_t /*r*/) {
    return true;
  }
  template <cells_of_grid Known>
  [[nodiscard]] static auto row(const sampled_sequence<S>& s, index_t r, index_t width) {
    return subsequence(s.source, r * width * s.stride, std::min(width, s.count - r * width));
  }
};

}  // namespace fettle::ndp::host::detail
