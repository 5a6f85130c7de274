#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::message_of;

namespace {

using zeros = decltype(ndp::replicate(0.0F, 5));
static_assert(std::is_same_v<zeros, ndp::constant_sequence<float>>);
static_assert(std::is_same_v<ndp::element_t<zeros>, float> && !ndp::writable<zeros>);
static_assert(std::is_trivially_copyable_v<zeros>);
static_assert(std::is_same_v<ndp::expression_of_t<zeros>, ndp::expression<ndp::op::replicate>>);

}  // namespace

TEST_CASE("replicate is the same value at every place, for every type and size") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      REQUIRE(elements(ndp::replicate(T(7), n)) ==
              std::vector<T>(static_cast<std::size_t>(n), T(7)));
    }
  });
  CHECK(elements(ndp::replicate(true, 2)) == std::vector<bool>{true, true});
}

TEST_CASE("replicate repeats structs and whole sequences, and costs no memory") {
  const ndp_test::particle p{1, 2, 3};
  CHECK(ndp::replicate(p, index_t{1} << 40)[(index_t{1} << 40) - 1] == p);
  CHECK(elements(ndp::replicate(ndp::range(0, 2), 2)) ==
        std::vector<std::vector<int>>{{0, 1}, {0, 1}});
}

TEST_CASE("replicate refuses a negative length") {
  CHECK(message_of([] { return ndp::replicate(1, -1); }).starts_with("replicate: negative length"));
}
