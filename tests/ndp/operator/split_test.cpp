#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::made_up;
using ndp_test::message_of;

namespace {

using tiles = decltype(ndp::split(ndp::sequence<const float>{}, 4));
static_assert(std::is_same_v<tiles, ndp::tiled_sequence<ndp::sequence<const float>>>);
static_assert(std::is_same_v<tiles::value_type, ndp::sequence<const float>>,
              "tiles of memory are memory");
static_assert(ndp::nested<tiles> && ndp::has_row_offsets<tiles> && !ndp::writable<tiles>);
static_assert(ndp::writable<decltype(ndp::split(ndp::sequence<float>{}, 4))::value_type>);
static_assert(std::is_trivially_copyable_v<tiles>);
static_assert(std::is_same_v<ndp::expression_of_t<tiles>, ndp::expression<ndp::op::split>>);

// Tiles of what is computed are windows, and windows of windows are windows of the same sequence.
using counted = decltype(ndp::range(0, 1));
using windows = decltype(ndp::split(counted{}, 2));
static_assert(std::is_same_v<windows::value_type, ndp::window<counted>>);
static_assert(std::is_same_v<decltype(ndp::split(windows::value_type{}, 2))::value_type,
                             ndp::window<counted>>);

}  // namespace

TEST_CASE("split cuts into tiles, of which the last may be shorter") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      for (const index_t l : {1, 2, 3, 32, 1000}) {
        const auto s = ndp::split(ndp::make_sequence(x), l);
        REQUIRE(s.size() == (n + l - 1) / l);
        REQUIRE(s.row_begin(s.size()) == n);
        for (index_t i = 0; i < s.size(); ++i) {
          const index_t begin = i * l;
          const index_t end = std::min(n, begin + l);
          REQUIRE(s.row_begin(i) == begin);
          REQUIRE(elements(s[i]) == std::vector<T>(x.begin() + begin, x.begin() + end));
        }
      }
    }
  });
}

TEST_CASE("split nests three deep, over computed sequences too") {
  const auto s = ndp::split(ndp::split(ndp::reverse(ndp::range(0, 7)), 2), 3);
  CHECK(elements(s) == std::vector<std::vector<std::vector<int>>>{{{6, 5}, {4, 3}, {2, 1}}, {{0}}});
}

TEST_CASE("split works at lengths where a product of tile and length would overflow") {
  const index_t most = std::numeric_limits<index_t>::max();
  const auto s = ndp::split(ndp::range(index_t{0}, most), most - 1);
  REQUIRE(s.size() == 2);
  CHECK(s[0].size() == most - 1);
  CHECK(s[1].size() == 1);
  CHECK(s[1][0] == most - 1);
  CHECK(ndp::split(ndp::range(0, 3), most)[0].size() == 3);
}

TEST_CASE("split writes to what it was made of") {
  std::vector<int> x(5);
  ndp::split(ndp::make_sequence(x), 3)[1][1] = 9;
  CHECK(x[4] == 9);
}

TEST_CASE("split refuses tiles without elements") {
  CHECK(message_of([] {
          return ndp::split(ndp::range(0, 5), 0);
        }).starts_with("split: the tile length has to be positive"));
}
