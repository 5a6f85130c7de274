#include <type_traits>
#include <vector>

#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::made_up;

namespace {

using mixed = decltype(ndp::zip(ndp::sequence<float>{}, ndp::sequence<const int>{}));
static_assert(std::is_same_v<mixed::value_type, ndp::tuple<float, int>>);
static_assert(std::is_same_v<ndp::element_t<mixed>, ndp::tuple<float&, const int&>>);
static_assert(!ndp::writable<mixed>, "one of the two is read only");
static_assert(std::is_trivially_copyable_v<mixed>);
static_assert(std::is_same_v<ndp::expression_of_t<mixed>, ndp::expression<ndp::op::zip>>);

using target = decltype(ndp::zip(ndp::sequence<float>{}, ndp::sequence<double>{}));
static_assert(ndp::writable<target>);
static_assert(ndp::writable<decltype(ndp::zip(target{}, ndp::sequence<int>{}))>);
static_assert(!ndp::writable<decltype(ndp::zip(target{}, ndp::range(0, 1)))>);
static_assert(!ndp::writable<decltype(ndp::zip(ndp::range(0, 1)))>, "values that are computed");

}  // namespace

TEST_CASE("zip puts elements side by side, for every type and size") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      const auto s = ndp::make_sequence(x);
      const auto z = ndp::zip(s, ndp::reverse(s), ndp::range(index_t{0}, n));
      REQUIRE(z.size() == n);
      for (index_t i = 0; i < n; ++i) {
        const auto [a, b, c] = z[i];
        REQUIRE((a == s[i] && b == s[n - 1 - i] && c == i));
      }
    }
  });
}

TEST_CASE("zip takes any number of sequences") {
  const auto s = ndp::range(0, 3);
  CHECK(ndp::zip(s)[2] == ndp::make_tuple(2));
  const auto z = ndp::zip(s, s, s, s, s, s, s, s, s, s, s, s);
  CHECK(ndp::get<11>(z[2]) == 2);
  const auto nested = ndp::zip(ndp::zip(s, s), s);
  CHECK(nested[1] == ndp::make_tuple(ndp::make_tuple(1, 1), 1));
}

TEST_CASE("a zip of places to write to is one") {
  std::vector<float> a(2);
  std::vector<double> b(2);
  const auto z = ndp::zip(ndp::make_sequence(a), ndp::make_sequence(b));
  ndp::store(z[1], ndp::make_tuple(3, 4));
  CHECK((a[1] == 3.0F && b[1] == 4.0));
  // In place, from references to the same elements.
  ndp::store(z[0], z[1]);
  CHECK((a[0] == 3.0F && b[0] == 4.0));
}

TEST_CASE("zip pairs rows, which a map takes apart") {
  const auto tiles = ndp::split(ndp::range(0, 6), 2);
  const auto products = ndp::map(
      [](const auto& pair) {
        const auto& [row, other] = pair;
        return row[0] * other[1];
      },
      ndp::zip(tiles, tiles));
  CHECK(ndp_test::elements(products) == std::vector<int>{0, 6, 20});
}
