#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/range.hpp>
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

using columns = decltype(ndp::cyclic(ndp::sequence<float>{}, 4));
static_assert(ndp::nested<columns> && !ndp::has_row_offsets<columns>);
static_assert(std::is_same_v<columns::value_type, ndp::strided_sequence<ndp::sequence<float>>>);
static_assert(ndp::writable<columns::value_type>);
static_assert(std::is_trivially_copyable_v<columns>);
static_assert(std::is_same_v<ndp::expression_of_t<columns>, ndp::expression<ndp::op::cyclic>>);

}  // namespace

TEST_CASE("cyclic deals the elements out in turn") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      for (const index_t l : {1, 2, 3, 32, 200}) {
        std::vector<std::vector<T>> expected(static_cast<std::size_t>(l));
        for (index_t i = 0; i < n; ++i) {
          expected[static_cast<std::size_t>(i % l)].push_back(x[static_cast<std::size_t>(i)]);
        }
        REQUIRE(elements(ndp::cyclic(ndp::make_sequence(x), l)) == expected);
      }
    }
  });
}

TEST_CASE("cyclic refuses a tile length of zero") {
  CHECK(message_of([] {
          return ndp::cyclic(ndp::range(0, 5), 0);
        }).starts_with("cyclic: the tile length has to be positive"));
}
