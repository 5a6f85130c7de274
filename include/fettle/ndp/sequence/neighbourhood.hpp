// neighbourhood: the cells around one cell of a grid, those beyond the grid's borders included;
// what the rows of a halo are.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// What lies beyond a grid's borders.
namespace boundary {

/// Cells of one value.
template <typename T>
struct constant {
  T value;
};

/// Copies of the nearest cell of the grid.
struct clamp {};

/// The grid again: beyond the last column comes the first, beyond the last row the first.
struct wrap {};

}  // namespace boundary

namespace detail {

template <typename B>
inline constexpr bool is_constant_boundary_v = false;
template <typename T>
inline constexpr bool is_constant_boundary_v<boundary::constant<T>> = true;

/// The index in [0, size) at which the cell `i`, which may be beyond the border, is found; -1 where
/// it is none of the grid's.
template <typename B, typename Index>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr Index index_at(Index i, Index size) {
  if constexpr (std::same_as<B, boundary::clamp>) {
    // Two selections: threads of a warp need not part.
    const Index from_first = i < 0 ? 0 : i;
    return from_first < size ? from_first : size - 1;
  } else if constexpr (std::same_as<B, boundary::wrap>) {
    if (i >= 0 && i < size) return i;
    const Index rest = i % size;
    return rest < 0 ? rest + size : rest;
  } else {
    return i >= 0 && i < size ? i : -1;
  }
}

}  // namespace detail

/// Which of a neighbourhood's cells are known to be the grid's: all; those of the grid's rows,
/// because its columns are; or none, of any grid or of one whose cells 32 bits can count, half of
/// them.
enum class cells_of_grid : std::uint8_t { all, in_rows, none, none_of_32_bits };

/// What may lie beyond a grid's borders.
template <typename B>
concept boundary_like = detail::is_constant_boundary_v<B> || std::same_as<B, boundary::clamp> ||
                        std::same_as<B, boundary::wrap>;

/// The (2 radius + 1) x (2 radius + 1) cells around the cell (y, x): n(dy, dx) is the cell (y + dy,
/// x + dx). As a sequence they come row after row, so that their number is odd and the cell itself
/// in the middle.
template <random_access Grid, number_like Radius, boundary_like Boundary>
class neighbourhood {
 public:
  using value_type = typename Grid::value_type::value_type;

  constexpr neighbourhood() = default;
  FETTLE_HOST_DEVICE constexpr neighbourhood(const Grid& grid, const Radius& radius,
                                             const Boundary& beyond, index_t y, index_t x,
                                             cells_of_grid known)
      : grid_(grid), radius_(radius), beyond_(beyond), y_(y), x_(x), known_(known) {}

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t y() const { return y_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t x() const { return x_; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t radius() const {
    return detail::value_of_number(radius_);
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const {
    const index_t side = 2 * radius() + 1;
    return side * side;
  }

  /// dy and dx in [-radius, radius].
  FETTLE_HOST_DEVICE constexpr value_type operator()(index_t dy, index_t dx) const {
    switch (known_) {
      case cells_of_grid::all:
        return at<cells_of_grid::all>(dy, dx);
      case cells_of_grid::in_rows:
        return at<cells_of_grid::in_rows>(dy, dx);
      case cells_of_grid::none_of_32_bits:
        return at<cells_of_grid::none_of_32_bits>(dy, dx);
      default:
        return at<cells_of_grid::none>(dy, dx);
    }
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t i) const {
    check_index("halo", i, size());
    // 32 bits hold the number of cells, and divide faster.
    const auto side = static_cast<std::uint32_t>(2 * radius() + 1);
    const auto index = static_cast<std::uint32_t>(i);
    const std::uint32_t row = index / side;
    return (*this)(static_cast<index_t>(row) - radius(),
                   static_cast<index_t>(index - row * side) - radius());
  }

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr bool is_interior() const {
    return known_ == cells_of_grid::all;
  }

  /// The same as n(dy, dx), for a caller who knows which cells are the grid's.
  template <cells_of_grid Known>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr value_type at(index_t dy, index_t dx) const {
    check_index("halo: row beyond the radius", dy + radius(), 2 * radius() + 1);
    check_index("halo: column beyond the radius", dx + radius(), 2 * radius() + 1);
    if constexpr (Known == cells_of_grid::all) {
      return static_cast<value_type>(grid_.source[(y_ + dy) * grid_.width + (x_ + dx)]);
    } else if constexpr (Known == cells_of_grid::none_of_32_bits) {
      return beyond_borders<Known, std::int32_t>(dy, dx);
    } else {
      return beyond_borders<Known, index_t>(dy, dx);
    }
  }

 private:
  /// With indices of type Index, which GPUs compute by 32 bits at a time.
  template <cells_of_grid Known, typename Index>
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr value_type beyond_borders(index_t dy,
                                                                       index_t dx) const {
    const auto width = static_cast<Index>(grid_.width);
    const Index y =
        detail::index_at<Boundary>(static_cast<Index>(y_ + dy), static_cast<Index>(grid_.height));
    const auto own = static_cast<Index>(x_ + dx);
    const Index x = Known == cells_of_grid::in_rows ? own : detail::index_at<Boundary>(own, width);
    if constexpr (detail::is_constant_boundary_v<Boundary>) {
      if (y < 0 || x < 0) return static_cast<value_type>(beyond_.value);
    }
    return static_cast<value_type>(grid_.source[y * width + x]);
  }

  Grid grid_{};
  Radius radius_{};
  Boundary beyond_{};
  index_t y_ = 0;
  index_t x_ = 0;
  cells_of_grid known_ = cells_of_grid::none;
};

}  // namespace fettle::ndp
