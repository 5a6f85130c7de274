#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;

namespace {

using ints = ndp::sequence<int>;
using constant = ndp::sequence<const int>;
static_assert(std::is_same_v<ints::value_type, int> && std::is_same_v<constant::value_type, int>);
static_assert(std::is_same_v<ndp::element_t<ints>, int&>);
static_assert(std::is_same_v<ndp::element_t<constant>, const int&>);
static_assert(ndp::writable<ints> && !ndp::writable<constant>);
static_assert(ndp::random_access<ints> && !ndp::nested<ints> && !ndp::operation<ints>);
static_assert(std::is_trivially_copyable_v<ints> && sizeof(ints) == 16);
static_assert(std::is_convertible_v<ints, constant> && !std::is_convertible_v<constant, ints>);
static_assert(!std::is_convertible_v<ndp::sequence<short>, constant>);

using counted = ndp::counting_sequence<int>;
using window = ndp::window<counted>;
static_assert(std::is_same_v<decltype(ndp::subsequence(ints{}, 0, 0)), ints>);
static_assert(std::is_same_v<decltype(ndp::subsequence(counted{}, 0, 0)), window>);
static_assert(std::is_same_v<decltype(ndp::subsequence(window{}, 0, 0)), window>);
static_assert(std::is_trivially_copyable_v<window>);

}  // namespace

TEST_CASE("sequence is a view: copies see the same memory, constant ones too") {
  std::vector<int> x = {1, 2, 3};
  const ints s(x.data(), 3);
  const constant c = s;
  s[2] = 7;
  CHECK(c[2] == 7);
  int sum = 0;
  for (const int value : c) sum += value;
  CHECK(sum == 10);
  CHECK(ints{}.size() == 0);
}

TEST_CASE("subsequence counts from its start, again and again") {
  std::vector<int> x = {1, 2, 3, 4, 5};
  const ints s(x.data(), 5);
  CHECK(elements(ndp::subsequence(ndp::subsequence(s, 1, 4), 2, 2)) == std::vector<int>{4, 5});
  CHECK(ndp::subsequence(s, 5, 0).size() == 0);
  const auto w = ndp::subsequence(ndp::subsequence(ndp::range(0, 100), 10, 50), 5, 3);
  CHECK((w.first() == 15 && w.base().size() == 100));
  CHECK(elements(w) == std::vector<int>{15, 16, 17});
}
