#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/striding.hpp>
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

using every = decltype(ndp::striding(ndp::sequence<float>{}, 4));
static_assert(std::is_same_v<ndp::element_t<every>, float&> && ndp::writable<every>);
static_assert(!ndp::writable<decltype(ndp::striding(ndp::sequence<const float>{}, 4))>);
static_assert(std::is_trivially_copyable_v<every>);
static_assert(std::is_same_v<ndp::expression_of_t<every>, ndp::expression<ndp::op::striding>>);

}  // namespace

TEST_CASE("striding takes every so-manieth element") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      for (const index_t stride : {1, 2, 3, 64, 2000}) {
        std::vector<T> expected;
        for (index_t i = 0; i < n; i += stride) expected.push_back(x[static_cast<std::size_t>(i)]);
        REQUIRE(elements(ndp::striding(ndp::make_sequence(x), stride)) == expected);
      }
    }
  });
}

TEST_CASE("strides compose, and reach past 2^31") {
  CHECK(elements(ndp::striding(ndp::striding(ndp::range(0, 20), 3), 2)) ==
        std::vector<int>{0, 6, 12, 18});
  const auto s = ndp::striding(ndp::range(index_t{0}, index_t{1} << 40), index_t{1} << 20);
  CHECK(s.size() == index_t{1} << 20);
  CHECK(s[s.size() - 1] == (index_t{1} << 40) - (index_t{1} << 20));
}

TEST_CASE("striding refuses a stride that does not move on") {
  CHECK(message_of([] {
          return ndp::striding(ndp::range(0, 5), -1);
        }).starts_with("striding: the stride has to be positive"));
}
