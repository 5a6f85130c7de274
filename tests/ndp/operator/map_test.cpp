#include <functional>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
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
using ndp_test::elements;
using ndp_test::made_up;

namespace {

struct twice {
  template <typename T>
  constexpr T operator()(const T& x) const {
    return static_cast<T>(x + x);
  }
};

using floats = ndp::sequence<const float>;
using doubled = decltype(ndp::map(twice{}, floats{}));

static_assert(std::is_same_v<doubled, ndp::transformed_sequence<twice, floats>>);
static_assert(ndp::random_access<doubled> && !ndp::nested<doubled> && !ndp::writable<doubled>);
static_assert(std::is_same_v<doubled::value_type, float>);
static_assert(std::is_same_v<ndp::element_t<doubled>, float>);
static_assert(std::is_trivially_copyable_v<doubled>);
static_assert(std::is_same_v<ndp::expression_of_t<doubled>, ndp::expression<op::map>>);
// The sum of a float and a double is a double, whatever the first sequence holds.
static_assert(
    std::is_same_v<decltype(ndp::map(ndp::plus{}, floats{}, ndp::sequence<double>{}))::value_type,
                   double>);

// A function that returns a reference to memory makes a destination; one that computes does not.
struct charge_of {
  float& operator()(ndp_test::particle& p) const { return p.charge; }
};
using charges = decltype(ndp::map(charge_of{}, ndp::sequence<ndp_test::particle>{}));
static_assert(std::is_same_v<ndp::element_t<charges>, float&> && ndp::writable<charges>);
using computed = decltype(ndp::map([](float x) { return ndp_test::particle{x, x, 0}; }, floats{}));
static_assert(!ndp::writable<computed>);

// Levels: what the function returns, not what it is given.
struct row_sum {
  template <typename Row>
  constexpr auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0F);
  }
};
struct row_sums {
  template <typename Rows>
  constexpr auto operator()(const Rows& rows) const {
    return ndp::map(row_sum{}, rows);
  }
};
using tiles = ndp::tiled_sequence<floats>;
static_assert(std::is_same_v<ndp::expression_of_t<decltype(ndp::map(row_sum{}, tiles{}))>,
                             ndp::expression<op::map, op::reduce>>);
static_assert(std::is_same_v<
              ndp::expression_of_t<decltype(ndp::map(row_sums{}, ndp::tiled_sequence<tiles>{}))>,
              ndp::expression<op::map, op::map, op::reduce>>);
static_assert(
    std::is_same_v<ndp::expression_of_t<decltype(ndp::map(twice{}, ndp::map(twice{}, doubled{})))>,
                   ndp::expression<op::map>>);

}  // namespace

TEST_CASE("map applies its function to the elements of one sequence, for every type and size") {
  fettle::for_each(ndp_test::numbers{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : ndp_test::sizes) {
      const std::vector<T> x = made_up<T>(n);
      std::vector<T> expected;
      for (const T value : x) expected.push_back(static_cast<T>(value + value));
      const auto y = ndp::map(twice{}, ndp::make_sequence(x));
      static_assert(std::is_same_v<typename decltype(y)::value_type, T>);
      REQUIRE(y.size() == n);
      REQUIRE(elements(y) == expected);
    }
  });
}

TEST_CASE("map takes any number of sequences, of any types") {
  const std::vector<double> a = made_up<double>(33, 1);
  const std::vector<std::int8_t> b = made_up<std::int8_t>(33, 2);
  const std::vector<float> c = made_up<float>(33, 3);
  const auto sum = [](auto... x) { return (static_cast<double>(x) + ...); };
  const auto r = ndp::range(0, 33);
  const auto one = ndp::replicate(1, 33);
  const auto three =
      ndp::map(sum, ndp::make_sequence(a), ndp::make_sequence(b), ndp::make_sequence(c));
  const auto nine = ndp::map(sum, three, r, one, ndp::make_sequence(a), ndp::make_sequence(b),
                             ndp::make_sequence(c), r, one, three);
  for (index_t i = 0; i < 33; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double s = a[k] + b[k] + static_cast<double>(c[k]);
    REQUIRE(three[i] == s);
    REQUIRE(nine[i] == 3 * s + 2 * static_cast<double>(i) + 2);
  }
}

TEST_CASE("map works on structs and yields structs") {
  const std::vector<ndp_test::particle> particles = made_up<ndp_test::particle>(17);
  const auto heavier = ndp::map(
      [](ndp_test::particle p) {
        p.mass += 1.0;
        return p;
      },
      ndp::make_sequence(particles));
  for (index_t i = 0; i < 17; ++i) {
    ndp_test::particle expected = particles[static_cast<std::size_t>(i)];
    expected.mass += 1.0;
    REQUIRE(heavier[i] == expected);
  }
}

TEST_CASE("a map whose function returns references is a place to write to") {
  std::vector<ndp_test::particle> particles(5);
  const auto charge = ndp::map(charge_of{}, ndp::make_sequence(particles));
  charge[3] = 2.5F;
  CHECK(particles[3].charge == 2.5F);
}

TEST_CASE("a function that hands its argument on as a temporary yields a value") {
  const auto y = ndp::map(std::identity{}, ndp::range(3, 6));
  static_assert(std::is_same_v<ndp::element_t<decltype(y)>, int>);
  CHECK(elements(y) == std::vector<int>{3, 4, 5});
}

TEST_CASE("each input element is read once by a fused chain, and only when asked for") {
  int reads = 0;
  const auto counted = ndp::map(
      [&reads](int i) {
        ++reads;
        return i;
      },
      ndp::range(0, 100));
  const auto chain = ndp::map(ndp::multiplies{}, ndp::map(twice{}, counted), ndp::range(0, 100));
  CHECK(reads == 0);
  CHECK(chain[7] == 98);
  CHECK(reads == 1);
  const int total = ndp::reduce(ndp::plus{}, chain, 0);
  CHECK(total == 2 * 99 * 100 * 199 / 6);
  CHECK(reads == 101);
}

TEST_CASE("rows of a map with captures may be cut into tiles, three deep") {
  const int shift = static_cast<int>(made_up<int>(1).size()) + 9;
  const auto shifted = ndp::map([shift](int x) { return x + shift; }, ndp::range(0, 24));
  const auto cubes = ndp::split(ndp::split(shifted, 3), 2);
  static_assert(std::is_same_v<std::remove_const_t<decltype(cubes[0][0][0])>, int>);
  CHECK(cubes.size() == 4);
  CHECK(cubes[3][1][2] == 33);
  const auto sums = ndp::map(row_sums{}, cubes);
  REQUIRE(sums.size() == 4);
  const float last = sums[3][1];
  CHECK(last == 31 + 32 + 33);
}

TEST_CASE("map runs over more than 2^31 elements without memory") {
  const index_t n = (index_t{1} << 33) + 5;
  const auto y = ndp::map(ndp::plus{}, ndp::range(index_t{0}, n), ndp::replicate(index_t{1}, n));
  CHECK(y.size() == n);
  CHECK(y[n - 1] == n);
}

TEST_CASE("expressions are constant expressions") {
  constexpr auto squares = ndp::map([](int x) { return x * x; }, ndp::range(0, 10));
  static_assert(squares.size() == 10 && squares[9] == 81);
  constexpr int sum = ndp::reduce(ndp::plus{}, squares, 0);
  static_assert(sum == 285);
  CHECK(sum == 285);
}
