#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
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

using indices = ndp::sequence<const std::uint16_t>;
using read = decltype(ndp::gather(ndp::sequence<const float>{}, indices{}));
using written = decltype(ndp::gather(ndp::sequence<float>{}, indices{}));

static_assert(std::is_same_v<read::value_type, float>);
static_assert(std::is_same_v<ndp::element_t<read>, const float&>);
static_assert(std::is_same_v<ndp::element_t<written>, float&>);
static_assert(!ndp::writable<read> && ndp::writable<written>);
static_assert(std::is_trivially_copyable_v<read>);
static_assert(std::is_same_v<ndp::expression_of_t<read>, ndp::expression<ndp::op::gather>>);

// Permuted rows are rows, but no longer contiguous.
using permuted = decltype(ndp::gather(ndp::tiled_sequence<ndp::sequence<int>>{}, indices{}));
static_assert(ndp::nested<permuted> && !ndp::has_row_offsets<permuted>);

}  // namespace

TEST_CASE("gather takes the elements at the indices, in their order") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      const std::vector<index_t> at = ndp_test::shuffled(n);
      std::vector<T> expected;
      for (const index_t i : at) expected.push_back(x[static_cast<std::size_t>(i)]);
      REQUIRE(elements(ndp::gather(ndp::make_sequence(x), ndp::make_sequence(at))) == expected);
    }
  });
}

TEST_CASE("gather takes indices of any integer type, repeated ones and none") {
  fettle::for_each(
      fettle::type_list<std::int8_t, std::uint8_t, short, int, unsigned, long long,
                        unsigned long long>{},
      []<typename I>(fettle::type_tag<I>) {
        const std::vector<I> at = {2, 2, 0};
        const auto s = ndp::range(10, 13);
        REQUIRE(elements(ndp::gather(s, ndp::make_sequence(at))) == std::vector<int>{12, 12, 10});
        REQUIRE(ndp::gather(s, ndp::sequence<I>{}).size() == 0);
      });
}

TEST_CASE("gather of a place to write to is one") {
  std::vector<double> x(4);
  const std::vector<int> at = {3, 1};
  const auto s = ndp::gather(ndp::make_sequence(x), ndp::make_sequence(at));
  s[0] = 7.0;
  s[1] = 8.0;
  CHECK(x == std::vector<double>{0, 8, 0, 7});
}

TEST_CASE("gather permutes rows, and gathers compose") {
  const std::vector<int> at = {1, 0};
  const auto rows = ndp::gather(ndp::split(ndp::range(0, 5), 3), ndp::make_sequence(at));
  CHECK(elements(rows) == std::vector<std::vector<int>>{{3, 4}, {0, 1, 2}});
  CHECK(elements(ndp::gather(rows, ndp::make_sequence(at))[0]) == std::vector<int>{0, 1, 2});
}

TEST_CASE("gather reaches past 2^31") {
  const index_t n = (index_t{1} << 40);
  const std::vector<index_t> at = {n - 1};
  CHECK(ndp::gather(ndp::range(index_t{0}, n), ndp::make_sequence(at))[0] == n - 1);
}
