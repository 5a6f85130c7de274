// halo_rows: the neighbourhoods of a grid's cells as an outer loop over its rows and an inner one
// over its columns.
//
// Those of cells that are further from all borders than the radius need no checks, which compilers
// see from the type of the row, and vectorise; those of cells near the first or last row, but far
// from the columns' ends, only checks that are the same for all of a row.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The neighbourhoods of the cells of row y.
template <cells_of_grid Known, typename S, typename Radius, typename Boundary>
struct halo_row {
  using halo = halo_sequence<S, Radius, Boundary>;
  using value_type = typename halo::value_type;

  halo source;
  index_t y;

  [[nodiscard]] constexpr index_t size() const { return source.source.width; }
  [[nodiscard]] constexpr value_type operator[](index_t x) const {
    return {source.source, source.radius, source.beyond, y, x, Known};
  }
};

template <typename S, typename Radius, typename Boundary>
struct rows_of<halo_sequence<S, Radius, Boundary>> {
  using view = halo_sequence<S, Radius, Boundary>;
  static constexpr bool found = true;
  static constexpr bool has_border = true;

  [[nodiscard]] static index_t width(const view& s) { return s.source.width; }
  [[nodiscard]] static column_range inside(const view& s, index_t /*r*/, index_t width) {
    const index_t radius = ndp::detail::value_of_number(s.radius);
    return {radius, width - radius};
  }
  [[nodiscard]] static bool is_row_inside(const view& s, index_t r) {
    const index_t radius = ndp::detail::value_of_number(s.radius);
    return r >= radius && r < s.source.height - radius;
  }
  template <cells_of_grid Known>
  [[nodiscard]] static auto row(const view& s, index_t r, index_t /*width*/) {
    return halo_row<Known, S, Radius, Boundary>{s, r};
  }
};

/// The row dy of a neighbourhood.
template <cells_of_grid Known, typename Grid, typename Radius, typename Boundary>
struct neighbourhood_row {
  using neighbours = neighbourhood<Grid, Radius, Boundary>;
  using value_type = typename neighbours::value_type;

  neighbours source;
  index_t dy;

  [[nodiscard]] constexpr index_t size() const { return 2 * source.radius() + 1; }
  [[nodiscard]] constexpr value_type operator[](index_t i) const {
    return source.template at<Known>(dy, i - source.radius());
  }
};

template <typename Grid, typename Radius, typename Boundary>
struct rows_of<neighbourhood<Grid, Radius, Boundary>> {
  using view = neighbourhood<Grid, Radius, Boundary>;
  static constexpr bool found = true;
  static constexpr bool has_border = true;

  [[nodiscard]] static index_t width(const view& s) { return 2 * s.radius() + 1; }
  [[nodiscard]] static column_range inside(const view& s, index_t /*r*/, index_t width) {
    return {0, s.is_interior() ? width : 0};
  }
  [[nodiscard]] static bool is_row_inside(const view& /*s*/, index_t /*r*/) { return true; }
  template <cells_of_grid Known>
  [[nodiscard]] static auto row(const view& s, index_t r, index_t /*width*/) {
    return neighbourhood_row<Known, Grid, Radius, Boundary>{s, r - s.radius()};
  }
};

}  // namespace fettle::ndp::host::detail
