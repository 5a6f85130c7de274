// halo(grid, radius, beyond): for each cell of a grid, row after row, the cells around it:
//
//   n = halo(grid, r, beyond)[y * width + x]
//   n(dy, dx) = grid(y + dy, x + dx)     for dy, dx in [-r, r]
//
// and beyond the borders what `beyond` says: boundary::constant{value}, boundary::clamp{} or
// boundary::wrap{}. Nothing is copied, and the grid gets no additional rows or columns.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/neighbourhood.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S, number_like Radius, boundary_like Boundary>
struct halo_sequence {
  using operator_type = op::halo;
  using value_type = neighbourhood<grid_sequence<S>, Radius, Boundary>;
  static constexpr bool applies_functions = true;

  grid_sequence<S> source;
  Radius radius;
  Boundary beyond;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    return source.height * source.width;
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const {
    const index_t side = 2 * detail::value_of_number(radius) + 1;
    return side * side;
  }

  /// Around the i-th cell; costs a division.
  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t i) const {
    const index_t y = row_of(i);
    return (*this)(y, i - y * source.width);
  }
  /// f((*this)[i]), on a GPU compiled by itself for cells of the interior, so that f need not look
  /// at the borders each time that it reads a cell; map() does it. Of a narrow grid nearly every
  /// warp has cells of either kind, and would run both. (On processors a map over 3 columns took
  /// 11 % longer so.)
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
  template <typename F>
  FETTLE_HOST_DEVICE constexpr decltype(auto) apply(const F& f, index_t i) const {
#ifdef __CUDA_ARCH__
    const index_t y = row_of(i);
    const index_t x = i - y * source.width;
    if (source.width >= least_width_of_interior && is_interior(y, x)) {
      return f(value_type(source, radius, beyond, y, x, cells_of_grid::all));
    }
    // Indices beyond the borders are within 32 bits, too: radiuses are short.
    if (size() <= largest_of_32_bits) {
      return f(value_type(source, radius, beyond, y, x, cells_of_grid::none_of_32_bits));
    }
    return f(value_type(source, radius, beyond, y, x, cells_of_grid::none));
#else
    return f((*this)[i]);
#endif
  }
  /// Around the cell (y, x).
  FETTLE_HOST_DEVICE constexpr value_type operator()(index_t y, index_t x) const {
    return {source, radius, beyond,
            y,      x,      is_interior(y, x) ? cells_of_grid::all : cells_of_grid::none};
  }

 private:
  /// Columns from which at least every other warp has cells of the interior alone.
  static constexpr index_t least_width_of_interior = 128;
  static constexpr index_t largest_of_32_bits = index_t{1} << 30;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_of(index_t i) const {
    check_index("halo", i, size());
    if (((i | source.width) >> 32) == 0) {
      return static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(source.width);
    }
    return i / source.width;
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool is_interior(index_t y, index_t x) const {
    const index_t r = detail::value_of_number(radius);
    return y >= r && y < source.height - r && x >= r && x < source.width - r;
  }
};

namespace detail {

/// The number of a neighbourhood's cells fits 32 bits, half of them.
inline constexpr index_t largest_radius = 16383;

template <typename S>
inline constexpr bool is_grid_v = false;
template <typename S>
inline constexpr bool is_grid_v<grid_sequence<S>> = true;

template <typename Radius>
[[nodiscard]] consteval bool is_radius() {
  if constexpr (constant_number<Radius>)
    return Radius::value >= 0 && Radius::value <= largest_radius;
  return true;
}

template <typename Grid, typename Boundary>
[[nodiscard]] consteval bool takes_boundary() {
  if constexpr (is_constant_boundary_v<Boundary>) {
    return std::is_convertible_v<decltype(Boundary::value), typename Grid::value_type::value_type>;
  } else {
    return boundary_like<Boundary>;
  }
}

// Whether a halo may be made, and a sentence where not.
template <typename Grid, typename Radius, typename Boundary>
[[nodiscard]] consteval bool check_halo() {
  constexpr bool grids = is_grid_v<Grid> || any_invalid_v<Grid>;
  constexpr bool numbers = number_like<Radius>;
  static_assert(grids,
                "halo: the first argument must be a grid; make one of a sequence with "
                "make_grid(sequence, height, width)");
  static_assert(numbers,
                "halo: the radius must be an integer, or one in a type such as constant<1>{}");
  if constexpr (grids && numbers && !any_invalid_v<Grid>) {
    constexpr bool fits = is_radius<Radius>();
    static_assert(fits, "halo: the radius has to be from 0 to 16383: a constant is not");
    constexpr bool boundaries = takes_boundary<Grid, Boundary>();
    static_assert(boundaries,
                  "halo: what is beyond the borders must be boundary::clamp{}, boundary::wrap{}, "
                  "or boundary::constant{value} with a value that converts to a cell");
    return fits && boundaries;
  }
  return false;
}

}  // namespace detail

/// As many neighbourhoods as the grid has cells; the radius is in [0, 16383], also in the type:
/// constant<1>{}. A map over them costs the cells that its function reads.
template <typename Grid, typename Radius, typename Boundary>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto halo(const Grid& grid, Radius radius,
                                                     Boundary beyond) {
  if constexpr (detail::check_halo<Grid, Radius, Boundary>()) {
    const index_t r = detail::value_of_number(radius);
    if (r < 0 || r > detail::largest_radius) {
      detail::fail("halo", "the radius has to be from 0 to 16383", r, detail::largest_radius);
    }
    return halo_sequence<decltype(Grid::source), detail::number_t<Radius>, Boundary>{
        grid, detail::as_number(radius), beyond};
  } else {
    return invalid_expression{};
  }
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 3)
FETTLE_HOST_DEVICE constexpr invalid_expression halo(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "halo: takes three arguments, halo(grid, radius, boundary), such as "
                "halo(make_grid(s, height, width), 1, boundary::clamp{})");
  return {};
}

}  // namespace fettle::ndp
