#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::made_up;

namespace {

using update = decltype(ndp::scatter(ndp::sequence<const float>{}, ndp::sequence<const int>{},
                                     ndp::sequence<double>{}));
static_assert(std::is_void_v<update::value_type>);
static_assert(!ndp::random_access<update> && ndp::operation<update>);
static_assert(std::is_trivially_copyable_v<update>);
static_assert(std::is_same_v<ndp::expression_of_t<update>, ndp::expression<ndp::op::scatter>>);

}  // namespace

TEST_CASE("scatter puts each element at its index, and leaves the rest alone") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      std::vector<index_t> at = ndp_test::shuffled(2 * n);
      at.resize(x.size());
      std::vector<T> expected(static_cast<std::size_t>(2 * n), T(77));
      std::vector<T> y = expected;
      for (std::size_t i = 0; i < x.size(); ++i) expected[static_cast<std::size_t>(at[i])] = x[i];
      const auto e =
          ndp::scatter(ndp::make_sequence(x), ndp::make_sequence(at), ndp::make_sequence(y));
      REQUIRE(e.size() == n);
      for (index_t i = 0; i < n; ++i) e.update(i);
      REQUIRE(y == expected);
    }
  });
}

TEST_CASE("scatter writes through zips and views, and converts") {
  const std::vector<double> x = {1.5, 2.5};
  const std::vector<int> at = {1, 0};
  std::vector<float> a(2);
  std::vector<float> b(2);
  const auto s = ndp::make_sequence(x);
  const auto e = ndp::scatter(ndp::zip(s, s), ndp::make_sequence(at),
                              ndp::zip(ndp::make_sequence(a), ndp::reverse(ndp::make_sequence(b))));
  e.update(0);
  e.update(1);
  CHECK(a == std::vector<float>{2.5F, 1.5F});
  CHECK(b == std::vector<float>{1.5F, 2.5F});
}
