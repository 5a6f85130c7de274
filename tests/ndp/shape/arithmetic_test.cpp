#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/arithmetic.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;
using ndp::index_t;
using ndp_test::elements;

namespace {

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const int>;
constexpr doubles x;
constexpr ints columns;

// What is written is what one would have written by hand, type for type: that is why it fuses.
static_assert(std::is_same_v<decltype(x + x), decltype(ndp::map(ndp::plus{}, x, x))>);
static_assert(std::is_same_v<decltype(x - x), decltype(ndp::map(ndp::minus{}, x, x))>);
static_assert(std::is_same_v<decltype(x * x), decltype(ndp::map(ndp::multiplies{}, x, x))>);
static_assert(std::is_same_v<decltype(x / x), decltype(ndp::map(ndp::divides{}, x, x))>);
static_assert(std::is_same_v<decltype(-x), decltype(ndp::map(ndp::negate{}, x))>);
static_assert(std::is_same_v<decltype(2 * x),
                             decltype(ndp::map(ndp::multiplies{}, ndp::replicate(2, 1), x))>);
static_assert(std::is_same_v<decltype(x / 2.0F),
                             decltype(ndp::map(ndp::divides{}, x, ndp::replicate(2.0F, 1)))>);
static_assert(std::is_same_v<
              decltype(ndp::sum(x * ndp::gather(x, columns))),
              decltype(ndp::reduce(ndp::plus{},
                                   ndp::map(ndp::multiplies{}, x, ndp::gather(x, columns)), 0.0))>);
static_assert(
    std::is_same_v<decltype(ndp::product(x)), decltype(ndp::reduce(ndp::multiplies{}, x, 1.0))>);
static_assert(
    std::is_same_v<decltype(ndp::minimum_of(x)), decltype(ndp::reduce(ndp::minimum{}, x, 0.0))>);
static_assert(std::is_same_v<decltype(ndp::maximum_of(columns)),
                             decltype(ndp::reduce(ndp::maximum{}, columns, 0))>);
static_assert(std::is_same_v<decltype(ndp::sum(ndp::sequence<float>{}))::value_type, float>);
static_assert(std::is_same_v<decltype(ndp::sum(ndp::sequence<std::int8_t>{}))::value_type, int>);

// It does not take part where no sequence does, nor with strangers.
template <typename A, typename B>
concept adds = requires(A a, B b) { a + b; };
static_assert(adds<doubles, int> && adds<int, doubles>);
static_assert(!adds<doubles, std::vector<double>> && !adds<doubles, const char*>);
static_assert(!adds<ndp::tuple<int>, ndp::tuple<int>>);

// Listing 1 in one line.
struct row_dot {
  doubles x;
  auto operator()(const doubles& row, const ints& at) const {
    return ndp::sum(row * ndp::gather(x, at));
  }
};
using spmv = decltype(ndp::map(row_dot{}, ndp::nest(x, columns), ndp::nest(columns, columns)));
static_assert(std::is_same_v<ndp::expression_of_t<spmv>, ndp::expression<op::map, op::reduce>>);

}  // namespace

TEST_CASE("arithmetic works element by element") {
  const std::vector<double> a = {1, 2, 3};
  const std::vector<double> b = {4, 5, 8};
  const auto s = ndp::make_sequence(a);
  const auto t = ndp::make_sequence(b);
  CHECK(elements(s + t) == std::vector<double>{5, 7, 11});
  CHECK(elements(t - s) == std::vector<double>{3, 3, 5});
  CHECK(elements(s * t) == std::vector<double>{4, 10, 24});
  CHECK(elements(t / s) == std::vector<double>{4, 2.5, 8.0 / 3});
  CHECK(elements(-s) == std::vector<double>{-1, -2, -3});
  CHECK(elements(2 * s - t / 2 + 1.0) == std::vector<double>{1, 2.5, 3});
  CHECK(elements(1 / s * ndp::range(0, 3)) == std::vector<double>{0, 0.5, 2.0 / 3});
}

TEST_CASE("arithmetic on elements that are no plain numbers") {
  const std::vector<std::complex<double>> z = {{1, 2}, {3, 4}};
  const auto turned = ndp::make_sequence(z) * std::complex<double>(0, 1);
  CHECK(turned[1] == std::complex<double>(-4, 3));
}

TEST_CASE("sums, products and extremes") {
  const std::vector<float> v = {3, -1, 4};
  const auto s = ndp::make_sequence(v);
  CHECK(ndp::sum(s).evaluate() == 6.0F);
  CHECK(ndp::product(s).evaluate() == -12.0F);
  CHECK(ndp::minimum_of(s).evaluate() == -1.0F);
  CHECK(ndp::maximum_of(s).evaluate() == 4.0F);
  CHECK(ndp::sum(ndp::range<std::int8_t>(0, 127)).evaluate() == 126 * 127 / 2);
  const double mean = ndp::sum(s) / 3.0;
  CHECK(mean == 2.0);
}

TEST_CASE("sums, products and extremes of nothing") {
  const ndp::sequence<const double> none;
  CHECK(ndp::sum(none).evaluate() == 0.0);
  CHECK(ndp::product(none).evaluate() == 1.0);
  CHECK(ndp::minimum_of(none).evaluate() == std::numeric_limits<double>::infinity());
  CHECK(ndp::maximum_of(none).evaluate() == -std::numeric_limits<double>::infinity());
}

TEST_CASE("each element is read once, and nothing is computed before it is asked for") {
  int reads = 0;
  const auto counted = ndp::map(
      [&reads](int i) {
        ++reads;
        return static_cast<double>(i);
      },
      ndp::range(0, 50));
  const auto total = ndp::sum(2 * counted + 1);
  CHECK(reads == 0);
  CHECK(total.evaluate() == 2 * 49 * 25 + 50);
  CHECK(reads == 50);
}
