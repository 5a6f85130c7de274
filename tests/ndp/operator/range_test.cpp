#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::message_of;

namespace {

using ints = decltype(ndp::range(0, 5));
static_assert(std::is_same_v<ints, ndp::counting_sequence<int, ndp::unit_stride>>);
static_assert(std::is_same_v<decltype(ndp::range(0, 5, 2)), ndp::counting_sequence<int>>);
static_assert(std::is_same_v<ndp::element_t<ints>, int> && !ndp::writable<ints>);
static_assert(std::is_trivially_copyable_v<ints>);
static_assert(std::is_same_v<ndp::expression_of_t<ints>, ndp::expression<ndp::op::range>>);
// The common type of the arguments, so that a length beyond int is not cut.
static_assert(std::is_same_v<decltype(ndp::range(0, index_t{5}))::value_type, index_t>);
static_assert(std::is_same_v<decltype(ndp::range(0, 1, 0.5))::value_type, double>);
static_assert(std::is_same_v<decltype(ndp::range<float>(0, 5))::value_type, float>);

template <typename T>
using limits = std::numeric_limits<T>;

}  // namespace

TEST_CASE("range counts up and down, and ends before its end") {
  CHECK(elements(ndp::range(0, 5)) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(elements(ndp::range(-3, 8, 4)) == std::vector<int>{-3, 1, 5});
  CHECK(elements(ndp::range(-3, 9, 4)) == std::vector<int>{-3, 1, 5});
  CHECK(elements(ndp::range(-3, 10, 4)) == std::vector<int>{-3, 1, 5, 9});
  CHECK(elements(ndp::range(5, 0, -2)) == std::vector<int>{5, 3, 1});
  CHECK(elements(ndp::range(5u, 8u)) == std::vector<unsigned>{5, 6, 7});
}

TEST_CASE("range is empty where its end is not on the stride's side") {
  CHECK(ndp::range(5, 5).size() == 0);
  CHECK(ndp::range(5, 4).size() == 0);
  CHECK(ndp::range(4, 5, -1).size() == 0);
  CHECK(ndp::range(1.0, 0.0).size() == 0);
  CHECK(ndp::range(std::nan(""), 1.0).size() == 0);
}

TEST_CASE("range agrees with a loop for every end and stride of small types") {
  const auto check = []<typename T>(fettle::type_tag<T>) {
    for (int first = limits<T>::min(); first <= limits<T>::max(); first += 5) {
      for (int end = limits<T>::min(); end <= limits<T>::max(); end += 3) {
        for (const int stride : {1, 2, 7, 127, -1, -3, -128}) {
          if (stride < limits<T>::min()) continue;
          const auto s = ndp::range<T>(first, end, stride);
          index_t n = 0;
          for (int x = first; stride > 0 ? x < end : x > end; x += stride, ++n) {
            if (n >= s.size() || s[n] != static_cast<T>(x)) FAIL("element " << x);
          }
          if (s.size() != n) FAIL(first << " to " << end << " by " << stride);
        }
      }
    }
    SUCCEED();
  };
  check(fettle::type_tag<std::int8_t>{});
  check(fettle::type_tag<std::uint8_t>{});
}

TEST_CASE("range spans a type from end to end without overflow") {
  const auto all = ndp::range(limits<int>::min(), limits<int>::max());
  CHECK(all.size() == (index_t{1} << 32) - 1);
  CHECK(all[0] == limits<int>::min());
  CHECK(all[all.size() - 1] == limits<int>::max() - 1);
  const auto down = ndp::range(limits<int>::max(), limits<int>::min(), -1);
  CHECK(down[down.size() - 1] == limits<int>::min() + 1);
  const auto wide = ndp::range(limits<std::int64_t>::min(), limits<std::int64_t>::max(), 3);
  CHECK(wide.size() == 6148914691236517205);
  CHECK(wide[wide.size() - 1] == limits<std::int64_t>::max() - 3);
  const auto ends =
      ndp::range(limits<std::uint64_t>::max() - 2, limits<std::uint64_t>::max(), std::uint64_t{1});
  CHECK(elements(ends) == std::vector<std::uint64_t>{limits<std::uint64_t>::max() - 2,
                                                     limits<std::uint64_t>::max() - 1});
  const auto steep = ndp::range<std::int64_t>(
      limits<std::int64_t>::max(), limits<std::int64_t>::min(), limits<std::int64_t>::min());
  CHECK(elements(steep) == std::vector<std::int64_t>{limits<std::int64_t>::max(), -1});
  const auto words = ndp::range<std::uint16_t>(0, 65535, 65534);
  CHECK(elements(words) == std::vector<std::uint16_t>{0, 65534});
}

TEST_CASE("range of floating point stops before its end, whatever the rounding") {
  CHECK(elements(ndp::range(0.0, 1.0, 0.25)) == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(elements(ndp::range(1.0, 0.0, -0.5)) == std::vector<double>{1.0, 0.5});
  CHECK(elements(ndp::range(0.0F, 2.5F)) == std::vector<float>{0, 1, 2});
  for (int n = 1; n < 200; ++n) {
    for (const double stride : {0.1, 0.3, 1.0 / 3.0, 0.7, 1e-3}) {
      const double end = n * stride;
      const auto s = ndp::range(0.0, end, stride);
      REQUIRE(s.size() == n);
      REQUIRE(s[n - 1] < end);
      const auto f = ndp::range<float>(0, end, stride);
      REQUIRE(f[f.size() - 1] < static_cast<float>(end));
      REQUIRE(!(static_cast<float>(f.size()) * f.stride < static_cast<float>(end)));
    }
  }
}

TEST_CASE("range refuses what it cannot count") {
  const double infinity = limits<double>::infinity();
  CHECK(message_of([] {
          return ndp::range(0, 5, 0);
        }).starts_with("range: the stride is zero or not a number"));
  CHECK(message_of([] {
          return ndp::range(0.0, 1.0, std::nan(""));
        }).starts_with("range: the stride is zero"));
  CHECK(message_of([] {
          return ndp::range(limits<std::int64_t>::min(), limits<std::int64_t>::max());
        }).starts_with("range: more elements than a 64-bit index counts"));
  CHECK(message_of([&] { return ndp::range(0.0, infinity); }).starts_with("range: more elements"));
  CHECK(message_of([] { return ndp::range(0.0, 1e300); }).starts_with("range: more elements"));
  CHECK(message_of([&] { return ndp::range(-infinity, 0.0); }).starts_with("range: more elements"));
  CHECK(message_of([] { return ndp::range(-1, 3U); }).starts_with("range: negative, but"));
  CHECK(message_of([] { return ndp::range(3U, 0U, -1); }).starts_with("range: negative, but"));
  CHECK(elements(ndp::range<int>(-1, 3U)) == std::vector<int>{-1, 0, 1, 2});
}
