#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::made_up;

namespace {

using backwards = decltype(ndp::reverse(ndp::sequence<float>{}));
static_assert(std::is_same_v<ndp::element_t<backwards>, float&> && ndp::writable<backwards>);
static_assert(!ndp::writable<decltype(ndp::reverse(ndp::range(0, 1)))>);
static_assert(std::is_trivially_copyable_v<backwards>);
static_assert(std::is_same_v<ndp::expression_of_t<backwards>, ndp::expression<ndp::op::reverse>>);

}  // namespace

TEST_CASE("reverse goes from the last element to the first, and twice is not at all") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      const auto s = ndp::reverse(ndp::make_sequence(x));
      REQUIRE(elements(s) == std::vector<T>(x.rbegin(), x.rend()));
      REQUIRE(elements(ndp::reverse(s)) == x);
    }
  });
}

TEST_CASE("reverse turns the order of rows, not the rows, and reaches past 2^31") {
  CHECK(elements(ndp::reverse(ndp::split(ndp::range(0, 5), 2))) ==
        std::vector<std::vector<int>>{{4}, {2, 3}, {0, 1}});
  CHECK(ndp::reverse(ndp::range(index_t{0}, index_t{1} << 40))[0] == (index_t{1} << 40) - 1);
}

TEST_CASE("reverse writes to what it was made of") {
  std::vector<int> x = {1, 2, 3};
  ndp::reverse(ndp::make_sequence(x))[0] = 9;
  CHECK(x == std::vector<int>{1, 2, 9});
}
