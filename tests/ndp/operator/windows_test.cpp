#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/input_kind.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::constant;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::made_up;
using ndp_test::message_of;

namespace {

using memory = ndp::sequence<const float>;
using of_memory = decltype(ndp::windows(memory{}, 4));
static_assert(std::is_same_v<of_memory, ndp::windowed_sequence<memory>>);
static_assert(std::is_same_v<of_memory::value_type, memory>, "windows of memory are memory");
static_assert(ndp::nested<of_memory> && ndp::has_row_size<of_memory>);
static_assert(!ndp::has_row_offsets<of_memory>, "they overlap");
static_assert(std::is_trivially_copyable_v<of_memory>);
static_assert(std::is_same_v<ndp::expression_of_t<of_memory>, ndp::expression<ndp::op::windows>>);
static_assert(ndp::detail::nesting_of<of_memory>() == ndp::nesting::uniform);

// What is known is in the type.
using fixed = decltype(ndp::windows(memory{}, constant<4>{}, std::integral_constant<int, 2>{}));
static_assert(std::is_same_v<
              fixed, ndp::windowed_sequence<memory, constant<4>, std::integral_constant<int, 2>>>);
static_assert(std::is_same_v<decltype(ndp::windows(memory{}, 4U, std::int8_t{2})),
                             ndp::windowed_sequence<memory, index_t, index_t>>);

// Windows of what is computed, and of windows.
using counted = decltype(ndp::range(0, 1));
using computed = decltype(ndp::windows(counted{}, 2));
static_assert(std::is_same_v<computed::value_type, ndp::window<counted>>);
static_assert(std::is_same_v<decltype(ndp::windows(computed::value_type{}, 2))::value_type,
                             ndp::window<counted>>);

template <typename T>
std::vector<std::vector<T>> expected(const std::vector<T>& x, index_t k, index_t stride) {
  std::vector<std::vector<T>> out;
  for (index_t begin = 0; begin + k <= static_cast<index_t>(x.size()); begin += stride) {
    out.emplace_back(x.begin() + begin, x.begin() + begin + k);
  }
  return out;
}

}  // namespace

TEST_CASE("windows of every length and stride, as long as they fit") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      const auto s = ndp::make_sequence(x);
      for (const index_t k : {index_t{1}, index_t{2}, index_t{5}, n, n + 1}) {
        if (k == 0) continue;
        REQUIRE(elements(ndp::windows(s, k)) == expected(x, k, 1));
        REQUIRE(ndp::windows(s, k).row_size() == k);
        for (const index_t stride : {1, 2, 3, 7, 2000}) {
          REQUIRE(elements(ndp::windows(s, k, stride)) == expected(x, k, stride));
        }
      }
      REQUIRE(elements(ndp::windows(s, constant<3>{})) == expected(x, 3, 1));
      REQUIRE(elements(ndp::windows(s, constant<3>{}, constant<2>{})) == expected(x, 3, 2));
      REQUIRE(elements(ndp::windows(s, 3, constant<5>{})) == expected(x, 3, 5));
    }
  });
}

TEST_CASE("windows as far apart as they are long are the full tiles of a split") {
  const auto s = ndp::range(0, 14);
  CHECK(elements(ndp::windows(s, 4, 4)) == elements(ndp::split(ndp::subsequence(s, 0, 12), 4)));
}

TEST_CASE("windows nest, and their transpose is the sequence, shifted") {
  const auto s = ndp::range(0, 5);
  CHECK(elements(ndp::windows(ndp::windows(s, 3), 2)) ==
        std::vector<std::vector<std::vector<int>>>{{{0, 1, 2}, {1, 2, 3}}, {{1, 2, 3}, {2, 3, 4}}});
  CHECK(elements(ndp::transpose(ndp::windows(s, 2))) ==
        std::vector<std::vector<int>>{{0, 1, 2, 3}, {1, 2, 3, 4}});
}

TEST_CASE("windows at lengths where the end of a window would overflow") {
  const index_t most = std::numeric_limits<index_t>::max();
  const auto s = ndp::range(index_t{0}, most);
  CHECK(ndp::windows(s, most).size() == 1);
  CHECK(ndp::windows(s, most - 1).size() == 2);
  CHECK(ndp::windows(s, 1).size() == most);
  CHECK(ndp::windows(s, 2, most).size() == 1);
  CHECK(ndp::windows(ndp::range(0, 3), most).size() == 0);
}

TEST_CASE("windows write to what they were made of") {
  std::vector<int> x(5);
  ndp::windows(ndp::make_sequence(x), 3)[1][2] = 9;
  CHECK(x[3] == 9);
}

TEST_CASE("windows refuse lengths and strides that are not positive") {
  const auto s = ndp::range(0, 5);
  const auto length = [&](index_t k) { return message_of([&] { return ndp::windows(s, k); }); };
  CHECK(length(0).starts_with("windows: the length has to be positive (0"));
  CHECK(length(-3).starts_with("windows: the length has to be positive (-3"));
  CHECK(message_of([&] {
          return ndp::windows(s, 2, 0);
        }).starts_with("windows: the stride has to be positive (0"));
}
