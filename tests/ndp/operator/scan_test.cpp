#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;
using ndp::index_t;
using ndp_test::made_up;

namespace {

using ints = ndp::sequence<const int>;
using sums = decltype(ndp::scan(ndp::plus{}, ints{}, 0.5));

static_assert(std::is_same_v<sums, ndp::scanned_sequence<ndp::plus, ints, double>>);
static_assert(std::is_same_v<sums::value_type, double>);
static_assert(ndp::sequence_like<sums> && !ndp::random_access<sums>);
static_assert(std::is_trivially_copyable_v<sums>);
static_assert(std::is_same_v<ndp::expression_of_t<sums>, ndp::expression<op::scan>>);

struct row_scan {
  template <typename Row>
  constexpr auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0);
  }
};
using row_scans = decltype(ndp::map(row_scan{}, ndp::tiled_sequence<ints>{}));
static_assert(std::is_same_v<ndp::expression_of_t<row_scans>, ndp::expression<op::map, op::scan>>);

template <typename S>
auto realised(const S& s) {
  std::vector<typename S::value_type> out(static_cast<std::size_t>(s.size()));
  s.for_each_serial(
      [&](index_t i, const auto& value) { out[static_cast<std::size_t>(i)] = value; });
  return out;
}

template <typename Op, typename T, typename P>
void check(Op op, const std::vector<T>& x, P seed) {
  const auto lazy = ndp::scan(op, ndp::make_sequence(x), seed);
  REQUIRE(lazy.size() == static_cast<index_t>(x.size()));
  using value = typename decltype(lazy)::value_type;
  std::vector<value> expected;
  auto running = static_cast<value>(seed);
  for (const T& element : x) {
    expected.push_back(running);
    running = static_cast<value>(op(running, element));
  }
  REQUIRE(realised(lazy) == expected);
}

}  // namespace

TEST_CASE("scan is exclusive and seeded, for every type and size") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      check(ndp::plus{}, x, T(3));
      check(ndp::maximum{}, x, T(3));
    }
  });
}

TEST_CASE("scan keeps the order for operators that do not commute") {
  for (const index_t n : ndp_test::sizes) {
    check(ndp_test::compose{}, made_up<ndp_test::affine>(n), ndp_test::affine{3, 5});
  }
  check([](const std::string& a, const std::string& b) { return a + b; },
        std::vector<std::string>{"a", "b", "c"}, std::string("p"));
}

TEST_CASE("an inclusive scan is a running sum, from the seed or the operator's identity") {
  static_assert(
      std::is_same_v<ndp::expression_of_t<decltype(ndp::inclusive_scan(ndp::plus{}, ints{}, 0.5))>,
                     ndp::expression<op::inclusive_scan>>);
  const std::vector<int> x = {3, 1, 4, 1, 5};
  const auto s = ndp::make_sequence(x);
  CHECK(realised(ndp::inclusive_scan(ndp::plus{}, s, 10)) == std::vector<int>{13, 14, 18, 19, 24});
  CHECK(realised(ndp::inclusive_scan(ndp::plus{}, s)) == std::vector<int>{3, 4, 8, 9, 14});
  CHECK(realised(ndp::inclusive_scan(ndp::maximum{}, s)) == std::vector<int>{3, 3, 4, 4, 5});
  CHECK(realised(ndp::scan(ndp::multiplies{}, s)) == std::vector<int>{1, 3, 3, 12, 12});
  CHECK(realised(ndp::inclusive_scan(ndp::plus{}, ndp::make_sequence(x.data(), 0))).empty());
}

TEST_CASE("a scan may overwrite its own source") {
  std::vector<int> x = {3, 1, 4, 1, 5};
  const auto s = ndp::make_sequence(x);
  ndp::scan(ndp::plus{}, s, 10).for_each_serial([&](index_t i, int value) { s[i] = value; });
  CHECK(x == std::vector<int>{10, 13, 14, 18, 19});
}
