#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::made_up;

namespace {

using rows = decltype(ndp::nest(ndp::sequence<const float>{}, ndp::sequence<const int>{}));
static_assert(std::is_same_v<rows::value_type, ndp::sequence<const float>>);
static_assert(ndp::nested<rows> && ndp::has_row_offsets<rows> && !ndp::writable<rows>);
static_assert(std::is_trivially_copyable_v<rows>);
static_assert(std::is_same_v<ndp::expression_of_t<rows>, ndp::expression<ndp::op::nest>>);

}  // namespace

TEST_CASE("nest makes rows of every shape, with offsets of every integer type") {
  fettle::for_each(
      fettle::type_list<std::int16_t, std::uint16_t, int, unsigned, long long, std::uint64_t>{},
      []<typename Offset>(fettle::type_tag<Offset>) {
        for (const ndp_test::rows& shape : ndp_test::row_shapes()) {
          CAPTURE(shape.name);
          const std::vector<Offset> offsets = shape.offsets<Offset>();
          const std::vector<double> x = made_up<double>(shape.count());
          const auto s = ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets));
          REQUIRE(s.size() == static_cast<index_t>(shape.lengths.size()));
          auto next = x.begin();
          for (index_t i = 0; i < s.size(); ++i) {
            const index_t length = shape.lengths[static_cast<std::size_t>(i)];
            REQUIRE(s.row_begin(i) == next - x.begin());
            REQUIRE(elements(s[i]) == std::vector<double>(next, next + length));
            next += length;
          }
          REQUIRE(s.row_begin(s.size()) == shape.count());
        }
      });
}

TEST_CASE("nest of no offsets at all has no rows") {
  CHECK(ndp::nest(ndp::range(0, 5), ndp::sequence<int>{}).size() == 0);
}

TEST_CASE("nest nests: rows of rows, of what is computed, past 2^31") {
  const std::vector<int> inner = {0, 2, 2, 5, 6};
  const std::vector<int> outer = {0, 3, 4};
  const auto squares = ndp::map([](int x) { return x * x; }, ndp::range(0, 6));
  const auto s =
      ndp::nest(ndp::nest(squares, ndp::make_sequence(inner)), ndp::make_sequence(outer));
  CHECK(elements(s) ==
        std::vector<std::vector<std::vector<int>>>{{{0, 1}, {}, {4, 9, 16}}, {{25}}});
  const index_t n = index_t{1} << 40;
  const auto huge = ndp::nest(ndp::range(index_t{0}, 3 * n), ndp::range(index_t{0}, 4 * n, n));
  CHECK(huge.size() == 3);
  CHECK(huge[2][n - 1] == 3 * n - 1);
}

TEST_CASE("nest writes to what it was made of") {
  std::vector<int> x(4);
  const std::vector<int> offsets = {0, 3, 4};
  ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets))[1][0] = 9;
  CHECK(x[3] == 9);
}
