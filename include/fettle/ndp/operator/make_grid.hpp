// make_grid(s, height, width): a sequence as a table, row after row:
//
//   grid[y] = (s[y * width], ..., s[y * width + width - 1]), grid(y, x) = s[y * width + x]
//
// A nested sequence of `height` rows, as an input and as a destination.
#pragma once

#include <limits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <random_access S>
struct grid_sequence {
  using operator_type = op::grid;
  using value_type = decltype(subsequence(std::declval<const S&>(), index_t{}, index_t{}));

  S source;
  index_t height;
  index_t width;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return height; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_size() const { return width; }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t row_begin(index_t y) const {
    return y * width;
  }

  FETTLE_HOST_DEVICE constexpr value_type operator[](index_t y) const {
    check_index("make_grid: row", y, height);
    return subsequence(source, y * width, width);
  }
  FETTLE_HOST_DEVICE constexpr decltype(auto) operator()(index_t y, index_t x) const {
    check_index("make_grid: row", y, height);
    check_index("make_grid: column", x, width);
    return source[y * width + x];
  }
};

namespace detail {

// Not in the function: nvcc takes no function of the standard library's in one for kernels.
inline constexpr index_t most_cells = std::numeric_limits<index_t>::max();

FETTLE_HOST_DEVICE constexpr void require_grid(index_t size, index_t height, index_t width) {
  require_at_least("make_grid", "the height must not be negative", height, 0);
  require_at_least("make_grid", "the width must not be negative", width, 0);
  if (width != 0 && height > most_cells / width) {
    fail("make_grid", "height * width is more than a 64-bit index counts: height", height,
         most_cells / width);
  }
  if (size != height * width) {
    fail("make_grid", "the sequence has another length than height * width", size, height * width);
  }
}

}  // namespace detail

/// s.size() has to be height * width.
template <typename S>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto make_grid(const S& source, index_t height,
                                                          index_t width) {
  constexpr bool sequences = random_access<S>;
  static_assert(sequences,
                "make_grid: the first argument must be a sequence with a subscript; make one with "
                "make_sequence, and realise a reduce, a scan or a reduce_by_key first");
  if constexpr (sequences && !detail::any_invalid_v<S>) {
    detail::require_grid(source.size(), height, width);
    return grid_sequence<S>{source, height, width};
  } else {
    return invalid_expression{};
  }
}

/// Refuses a height or a width that would be cut to an integer.
template <typename S, typename Height, typename Width>
  requires(detail::no_integer<Height> || detail::no_integer<Width>)
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto make_grid(const S&, Height, Width) {
  constexpr bool integers = !detail::no_integer<Height> && !detail::no_integer<Width>;
  static_assert(integers, "make_grid: the height and the width must be integers");
  return invalid_expression{};
}

/// Any other number of arguments is an error.
template <typename... Arguments>
  requires(sizeof...(Arguments) != 3)
FETTLE_HOST_DEVICE constexpr invalid_expression make_grid(const Arguments&... /*arguments*/) {
  static_assert(sizeof...(Arguments) == 3,
                "make_grid: takes three arguments, make_grid(sequence, height, width)");
  return {};
}

}  // namespace fettle::ndp
