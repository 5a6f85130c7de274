#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;

namespace {

using pairs = decltype(ndp::join(ndp::sequence<const float>{}, ndp::range(0, 1)));
static_assert(std::is_same_v<pairs::value_type, ndp::tuple<float, int>>);
static_assert(std::is_same_v<ndp::element_t<pairs>, ndp::tuple<const float&, int>>);
static_assert(std::is_trivially_copyable_v<pairs>);
static_assert(std::is_same_v<ndp::expression_of_t<pairs>, ndp::expression<ndp::op::join>>);

}  // namespace

TEST_CASE("join is all combinations, the last varying fastest") {
  for (const int a : {0, 1, 2, 7}) {
    for (const int b : {0, 1, 3}) {
      for (const int c : {0, 1, 5}) {
        std::vector<ndp::tuple<int, int, int>> expected;
        for (int i = 0; i < a; ++i) {
          for (int j = 0; j < b; ++j) {
            for (int k = 0; k < c; ++k) expected.push_back(ndp::make_tuple(i, 10 + j, 20 + k));
          }
        }
        const auto s = ndp::join(ndp::range(0, a), ndp::range(10, 10 + b), ndp::range(20, 20 + c));
        REQUIRE(s.size() == a * b * c);
        REQUIRE(elements(s) == expected);
      }
    }
  }
}

TEST_CASE("join takes one sequence, many, nested ones, and long ones") {
  CHECK(ndp::join(ndp::range(3, 5))[1] == ndp::make_tuple(4));
  const auto two = ndp::range(0, 2);
  const auto bits = ndp::join(two, two, two, two, two, two);
  CHECK(bits.size() == 64);
  CHECK(bits[0b101101] == ndp::make_tuple(1, 0, 1, 1, 0, 1));
  const auto [row, x] = ndp::join(ndp::split(ndp::range(0, 6), 3), two)[3];
  CHECK((row[1] == 4 && x == 1));
  const index_t n = index_t{1} << 31;
  const auto many = ndp::join(ndp::range(index_t{0}, n), ndp::range(index_t{0}, n));
  CHECK(many[n * n - 1] == ndp::make_tuple(n - 1, n - 1));
}
