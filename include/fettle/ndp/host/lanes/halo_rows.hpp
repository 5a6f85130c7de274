// halo_rows: the neighbourhoods of a grid's cells as an outer loop over its rows and an inner one
// over its columns.
//
// Those of cells that are further from all borders than the radius need no checks, which compilers
// see from the type of the row, and vectorise; those of cells near the first or last row, but far
// from the columns' ends, only checks that are the same for all of a row.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <cells_of_grid Known, typename S, typename Radius, typename Boundary>
struct halo_row;

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

/// A neighbourhood of which the type says which cells are the grid's: a function of it has no
/// branch, whether it is inlined or not.
template <cells_of_grid Known, typename Grid, typename Radius, typename Boundary>
struct known_neighbourhood : neighbourhood<Grid, Radius, Boundary> {
  using neighbours = neighbourhood<Grid, Radius, Boundary>;
  using value_type = typename neighbours::value_type;

  constexpr explicit known_neighbourhood(const neighbours& cells) : neighbours(cells) {}

  [[gnu::always_inline]] constexpr value_type operator()(index_t dy, index_t dx) const {
    return this->template at<Known>(dy, dx);
  }
  [[gnu::always_inline]] constexpr value_type operator[](index_t i) const {
    const index_t side = 2 * this->radius() + 1;
    const index_t row = i / side;
    return (*this)(row - this->radius(), i - row * side - this->radius());
  }
};

template <cells_of_grid Known, typename Grid, typename Radius, typename Boundary>
struct rows_of<known_neighbourhood<Known, Grid, Radius, Boundary>>
    : rows_of<neighbourhood<Grid, Radius, Boundary>> {};

/// The neighbourhoods of the cells of row y.
template <cells_of_grid Known, typename S, typename Radius, typename Boundary>
struct halo_row {
  using halo = halo_sequence<S, Radius, Boundary>;
  using neighbours = typename halo::value_type;
  // Cells at the borders are few: these have their functions' code once, for all that is known.
  using value_type =
      std::conditional_t<Known == cells_of_grid::none, neighbours,
                         known_neighbourhood<Known, grid_sequence<S>, Radius, Boundary>>;

  halo source;
  index_t y;

  [[nodiscard]] constexpr index_t size() const { return source.source.width; }
  [[nodiscard]] constexpr value_type operator[](index_t x) const {
    return value_type(neighbours(source.source, source.radius, source.beyond, y, x, Known));
  }
};

}  // namespace fettle::ndp::host::detail
