#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
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

using doubles = ndp::sequence<const double>;
using sum = decltype(ndp::reduce(ndp::plus{}, doubles{}, 0));

static_assert(std::is_same_v<sum, ndp::reduced<ndp::plus, doubles, int>>);
static_assert(std::is_same_v<sum::value_type, double>, "an int seed does not truncate doubles");
static_assert(!ndp::sequence_like<sum> && ndp::operation<sum>);
static_assert(std::is_trivially_copyable_v<sum> && std::is_convertible_v<sum, double>);
static_assert(std::is_same_v<ndp::expression_of_t<sum>, ndp::expression<op::reduce>>);

// Vectors add element by element: reduce > map.
struct add_rows {
  template <typename A, typename B>
  constexpr auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};
using zeros = ndp::constant_sequence<double>;
using vector_sum = decltype(ndp::reduce(add_rows{}, ndp::tiled_sequence<doubles>{}, zeros{}));
static_assert(
    std::is_same_v<ndp::expression_of_t<vector_sum>, ndp::expression<op::reduce, op::map>>);
static_assert(!std::is_convertible_v<vector_sum, vector_sum::value_type>);

template <typename Op, typename T, typename P>
void check(Op op, const std::vector<T>& x, P seed) {
  const auto lazy = ndp::reduce(op, ndp::make_sequence(x), seed);
  using result = typename decltype(lazy)::value_type;
  auto expected = static_cast<result>(seed);
  for (const T& value : x) expected = static_cast<result>(op(expected, value));
  REQUIRE(lazy.evaluate() == expected);
  const result converted = lazy;
  REQUIRE(converted == expected);
}

}  // namespace

TEST_CASE("reduce folds from the seed on, for every type and size") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      check(ndp::plus{}, x, T(3));
      check(ndp::minimum{}, x, T(3));
      check(ndp::maximum{}, x, T(3));
      check(ndp_test::last_of{}, x, T(3));
    }
  });
}

TEST_CASE("reduce keeps the order for operators that do not commute") {
  for (const index_t n : ndp_test::sizes) {
    check(ndp_test::compose{}, made_up<ndp_test::affine>(n), ndp_test::affine{3, 5});
  }
  const std::vector<std::string> words = {"a", "b", "c"};
  check([](const std::string& a, const std::string& b) { return a + b; }, words, std::string("p"));
}

TEST_CASE("reduce takes bits and truths") {
  const std::vector<std::uint8_t> bits = {0b1100, 0b1010, 0b1001};
  check(ndp::bit_and{}, bits, std::uint8_t{0xFF});
  check(ndp::bit_or{}, bits, 0);
  check(ndp::bit_xor{}, bits, 0);
  const bool truths[] = {true, false, true};
  CHECK_FALSE(ndp::reduce(ndp::logical_and{}, ndp::make_sequence(truths), true).evaluate());
  CHECK(ndp::reduce(ndp::logical_or{}, ndp::make_sequence(truths), false).evaluate());
}

TEST_CASE("reduce of the whole range of a type is what arithmetic says") {
  // All of int8: the sum is accumulated in int, as C++ adds.
  const auto all = ndp::range<std::int8_t>(-128, 127);
  CHECK(ndp::reduce(ndp::plus{}, all, 0).evaluate() == -128 - 127);
}

TEST_CASE("reduce of nothing is the seed") {
  CHECK(ndp::reduce(ndp::multiplies{}, ndp::sequence<double>{}, 7.0).evaluate() == 7.0);
}

TEST_CASE("a reduce is a number where a number is asked for") {
  const double mean =
      ndp::reduce(ndp::plus{}, ndp::range(1, 5), 0.0) / 4.0 + ndp::replicate(1.0, 1)[0];
  CHECK(mean == 3.5);
}
