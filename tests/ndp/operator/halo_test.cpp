#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/input_kind.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace boundary = fettle::ndp::boundary;
using ndp::constant;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::message_of;

namespace {

using memory = ndp::sequence<float>;
using grid = decltype(ndp::make_grid(memory{}, 0, 0));
static_assert(std::is_same_v<grid::value_type, memory>, "rows of memory are memory");
static_assert(ndp::nested<grid> && ndp::has_row_offsets<grid> && ndp::has_row_size<grid>);
static_assert(std::is_trivially_copyable_v<grid>);
static_assert(std::is_same_v<ndp::expression_of_t<grid>, ndp::expression<ndp::op::grid>>);
static_assert(ndp::detail::nesting_of<grid>() == ndp::nesting::uniform);

using cells = decltype(ndp::halo(grid{}, constant<1>{}, boundary::clamp{}));
static_assert(ndp::nested<cells> && ndp::has_row_size<cells> && !ndp::has_row_offsets<cells>);
static_assert(std::is_trivially_copyable_v<cells>);
static_assert(std::is_same_v<cells::value_type::value_type, float>);
static_assert(std::is_same_v<ndp::expression_of_t<cells>, ndp::expression<ndp::op::halo>>);
static_assert(ndp::detail::nesting_of<cells>() == ndp::nesting::uniform);

template <typename Boundary>
std::vector<int> around(index_t y, index_t x, index_t radius, const Boundary& beyond) {
  // 0 1 2
  // 3 4 5
  return elements(ndp::halo(ndp::make_grid(ndp::range(0, 6), 2, 3), radius, beyond)(y, x));
}

}  // namespace

TEST_CASE("make_grid is a table of rows, read and written") {
  for (const index_t height : {0, 1, 2, 7}) {
    for (const index_t width : {0, 1, 3, 64}) {
      CAPTURE(height, width);
      const auto s = ndp::range(index_t{0}, height * width);
      const auto g = ndp::make_grid(s, height, width);
      REQUIRE(g.size() == height);
      REQUIRE(g.row_size() == width);
      REQUIRE(g.row_begin(height) == height * width);
      if (width > 0) REQUIRE(elements(g) == elements(ndp::split(s, width)));
      for (index_t y = 0; y < height; ++y) {
        REQUIRE(g[y].size() == width);
        for (index_t x = 0; x < width; ++x) REQUIRE(g(y, x) == y * width + x);
      }
    }
  }
  std::vector<int> x(6);
  const auto g = ndp::make_grid(ndp::make_sequence(x), 2, 3);
  g(1, 0) = 7;
  g[1][2] = 9;
  CHECK(x == std::vector<int>{0, 0, 0, 7, 0, 9});
  CHECK(elements(ndp::transpose(g)) == std::vector<std::vector<int>>{{0, 7}, {0, 0}, {0, 9}});
}

TEST_CASE("make_grid refuses sizes that do not fit") {
  const auto of = [](index_t height, index_t width) {
    return message_of([&] { return ndp::make_grid(ndp::range(0, 10), height, width); });
  };
  CHECK(of(2, 5) == "(no error)");
  CHECK(of(3, 4) ==
        "make_grid: the sequence has another length than height * width (10, limit 12)");
  CHECK(of(3, 3) == "make_grid: the sequence has another length than height * width (10, limit 9)");
  CHECK(of(-2, -5).starts_with("make_grid: the height must not be negative (-2"));
  CHECK(of(2, -5).starts_with("make_grid: the width must not be negative (-5"));
  CHECK(of(std::numeric_limits<index_t>::max(), 2)
            .starts_with("make_grid: height * width is more than a 64-bit index counts"));
}

TEST_CASE("halo knows the cells around each cell, and what is beyond the borders") {
  CHECK(around(0, 0, 1, boundary::constant{-1}) ==
        std::vector<int>{-1, -1, -1, -1, 0, 1, -1, 3, 4});
  CHECK(around(0, 0, 1, boundary::clamp{}) == std::vector<int>{0, 0, 1, 0, 0, 1, 3, 3, 4});
  CHECK(around(0, 0, 1, boundary::wrap{}) == std::vector<int>{5, 3, 4, 2, 0, 1, 5, 3, 4});
  CHECK(around(1, 2, 1, boundary::constant{-1.0}) ==
        std::vector<int>{1, 2, -1, 4, 5, -1, -1, -1, -1});
  CHECK(around(1, 2, 1, boundary::clamp{}) == std::vector<int>{1, 2, 2, 4, 5, 5, 4, 5, 5});
  CHECK(around(1, 2, 1, boundary::wrap{}) == std::vector<int>{1, 2, 0, 4, 5, 3, 1, 2, 0});
  CHECK(around(1, 1, 0, boundary::wrap{}) == std::vector<int>{4});
  const auto n = ndp::halo(ndp::make_grid(ndp::range(0, 6), 2, 3), 1, boundary::wrap{})[5];
  CHECK(n.y() == 1);
  CHECK(n.x() == 2);
  CHECK(n(-1, 1) == 0);
  CHECK(n(0, 0) == 5);
}

TEST_CASE("halo wraps and clamps further than the grid is large") {
  for (const index_t radius : {3, 8, 100}) {
    const auto clamped = around(1, 1, radius, boundary::clamp{});
    const auto wrapped = around(1, 1, radius, boundary::wrap{});
    const index_t side = 2 * radius + 1;
    REQUIRE(static_cast<index_t>(clamped.size()) == side * side);
    for (index_t dy = -radius; dy <= radius; ++dy) {
      for (index_t dx = -radius; dx <= radius; ++dx) {
        const auto at = static_cast<std::size_t>((dy + radius) * side + dx + radius);
        const index_t y = (1 + dy + 2 * side) % 2;
        const index_t x = (1 + dx + 3 * side) % 3;
        REQUIRE(wrapped[at] == 3 * y + x);
        const index_t nearest = 3 * (dy < 0 ? 0 : 1) + (dx < 0 ? 0 : dx > 0 ? 2 : 1);
        REQUIRE(clamped[at] == nearest);
      }
    }
  }
}

TEST_CASE("halo refuses radiuses that are negative or too large") {
  const auto of = [](index_t radius) {
    return message_of([&] {
      return ndp::halo(ndp::make_grid(ndp::range(0, 6), 2, 3), radius, boundary::clamp{});
    });
  };
  CHECK(of(16383) == "(no error)");
  CHECK(of(16384) == "halo: the radius has to be from 0 to 16383 (16384, limit 16383)");
  CHECK(of(-1).starts_with("halo: the radius has to be from 0 to 16383 (-1"));
}

namespace {

template <ndp::cells_of_grid Known, typename Neighbourhood>
std::vector<int> all_at(const Neighbourhood& n) {
  std::vector<int> found;
  for (index_t dy = -n.radius(); dy <= n.radius(); ++dy) {
    for (index_t dx = -n.radius(); dx <= n.radius(); ++dx) {
      found.push_back(n.template at<Known>(dy, dx));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("halo: indices of 32 bits find the same cells") {
  const auto grid = ndp::make_grid(ndp::range(0, 15), 5, 3);
  const auto check = [&](const auto& beyond) {
    for (const index_t radius : {0, 1, 2, 7}) {
      const auto cells = ndp::halo(grid, radius, beyond);
      for (index_t i = 0; i < cells.size(); ++i) {
        REQUIRE(all_at<ndp::cells_of_grid::none_of_32_bits>(cells[i]) ==
                all_at<ndp::cells_of_grid::none>(cells[i]));
      }
    }
  };
  check(boundary::clamp{});
  check(boundary::wrap{});
  check(boundary::constant<int>{-1});
}
