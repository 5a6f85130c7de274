#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/striding.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;

namespace {

using memory = ndp::sequence<float>;
using rows = decltype(ndp::nest(memory{}, ndp::range(0, 1)));
using columns = decltype(ndp::transpose(rows{memory{}, ndp::range(0, 1)}, 0));
static_assert(ndp::nested<columns> && !ndp::has_row_offsets<columns>);
static_assert(ndp::writable<columns::value_type>);
static_assert(std::is_trivially_copyable_v<columns>);
static_assert(std::is_same_v<ndp::expression_of_t<columns>, ndp::expression<ndp::op::transpose>>);

// Tiles and cycles are each other's transpose.
using tiles = ndp::tiled_sequence<memory>;
using cycles = ndp::cyclic_sequence<memory>;
static_assert(std::is_same_v<decltype(ndp::transpose(tiles{memory{}, 1})), cycles>);
static_assert(std::is_same_v<decltype(ndp::transpose(cycles{memory{}, 1})), tiles>);

// Who knows how long its rows are.
static_assert(!ndp::has_row_size<memory> && !ndp::has_row_size<rows>);
static_assert(!ndp::has_row_size<ndp::sequence<const memory>>);
static_assert(!ndp::has_row_size<decltype(ndp::gather(rows{memory{}, {}}, ndp::range(0, 1)))>);
static_assert(!ndp::has_row_size<decltype(ndp::replicate(1.0, 2))>);
static_assert(ndp::has_row_size<tiles> && ndp::has_row_size<cycles>);
static_assert(ndp::has_row_size<columns>);

}  // namespace

TEST_CASE("transpose turns rows into columns") {
  for (const index_t n : {0, 1, 2, 5}) {
    for (const index_t m : {0, 1, 3, 8}) {
      // n rows of m elements each: element j of row i is 100 i + j.
      const auto x = ndp::map([m](index_t k) { return m == 0 ? 0 : 100 * (k / m) + k % m; },
                              ndp::range(index_t{0}, n * m));
      const auto offsets =
          ndp::map([m](index_t i) { return i * m; }, ndp::range(index_t{0}, n + 1));
      const auto t = ndp::transpose(ndp::nest(x, offsets), m);
      REQUIRE(t.size() == m);
      for (index_t j = 0; j < t.size(); ++j) {
        REQUIRE(t[j].size() == n);
        for (index_t i = 0; i < n; ++i) REQUIRE(t[j][i] == 100 * i + j);
      }
      REQUIRE(elements(ndp::transpose(t)) == elements(ndp::nest(x, offsets)));
    }
  }
}

TEST_CASE("transpose of tiles is cyclic, of which the last tile may be short") {
  const auto s = ndp::split(ndp::range(0, 5), 2);
  CHECK(elements(ndp::transpose(s)) == std::vector<std::vector<int>>{{0, 2, 4}, {1, 3}});
  CHECK(elements(ndp::transpose(ndp::transpose(s))) == elements(s));
}

TEST_CASE("transpose of what is computed, and of rows of rows") {
  const auto rows_of_rows = ndp::replicate(ndp::split(ndp::range(0, 4), 2), 3);
  const auto t = ndp::transpose(rows_of_rows);
  REQUIRE(t.size() == 2);
  CHECK(elements(t[1]) == std::vector<std::vector<int>>{{2, 3}, {2, 3}, {2, 3}});
}

TEST_CASE("views of tiles know how long their rows are") {
  const auto s = ndp::split(ndp::range(0, 12), 3);
  const auto at = ndp::range(0, 4, 2);
  CHECK(elements(ndp::transpose(ndp::gather(s, at))) ==
        std::vector<std::vector<int>>{{0, 6}, {1, 7}, {2, 8}});
  CHECK(elements(ndp::transpose(ndp::striding(s, 2))) ==
        elements(ndp::transpose(ndp::gather(s, at))));
  CHECK(elements(ndp::transpose(ndp::reverse(ndp::cyclic(ndp::range(0, 6), 3)))) ==
        std::vector<std::vector<int>>{{2, 1, 0}, {5, 4, 3}});
  CHECK(elements(ndp::transpose(ndp::subsequence(s, 1, 2))) ==
        std::vector<std::vector<int>>{{3, 6}, {4, 7}, {5, 8}});
  CHECK(elements(ndp::transpose(ndp::replicate(ndp::range(0, 2), 3))) ==
        std::vector<std::vector<int>>{{0, 0, 0}, {1, 1, 1}});
  CHECK(elements(ndp::transpose(ndp::replicate(ndp::range(0, 2), 0))) ==
        std::vector<std::vector<int>>{{}, {}});
}

TEST_CASE("transpose of the first columns only") {
  const auto s = ndp::split(ndp::range(0, 5), 3);
  CHECK(elements(ndp::transpose(s, 2)) == std::vector<std::vector<int>>{{0, 3}, {1, 4}});
  CHECK(elements(ndp::transpose(s, 0)).empty());
}

TEST_CASE("transpose writes to what it was made of") {
  std::vector<int> x(6);
  const std::vector<int> offsets = {0, 3, 6};
  const auto t = ndp::transpose(ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets)), 3);
  t[2][1] = 9;
  CHECK(x[5] == 9);
}
