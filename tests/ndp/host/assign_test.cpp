// Elements by blocks, against one after the other: functions of ranges of 32-bit numbers and what
// is made of them, structs and tuples of them, in place too.
#include <cstdint>
#include <limits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/block.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;

namespace {

struct point {
  float x;
  std::int16_t y;

  friend bool operator==(const point&, const point&) = default;
};

template <typename T, typename E>
void check(const E& e) {
  const auto count = static_cast<std::size_t>(e.size());
  std::vector<T> expected(count);
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = e[static_cast<index_t>(i)];
  for (const index_t begin : {index_t{0}, e.size() / 3}) {
    out.assign(count, T{});
    host::detail::assign(make_sequence(out), e, 0, begin);
    host::detail::assign(make_sequence(out), e, begin, e.size());
    CHECK(out == expected);
  }
}

}  // namespace

TEST_CASE("functions of ranges, windows and joins of them, and what they gather") {
  const auto values = ndp_test::made_up<int>(5000);
  const auto s = make_sequence(values);
  const auto three = [s](int i) { return s[i] + 2 * s[i + 1] + s[i + 2]; };
  const auto sum = [](auto pair) {
    const auto& [a, b] = pair;
    return 3 * a + static_cast<int>(b);
  };
  const auto add = [](int a, int b) { return a - b; };
  for (const int n : {0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000}) {
    INFO(n);
    const auto numbers = range(0, n);
    STATIC_REQUIRE(host::detail::in_blocks<decltype(map(three, numbers))>);
    STATIC_REQUIRE(!host::detail::in_blocks<decltype(map(three, range(0, 9, 2)))>);
    check<int>(map(three, numbers));
    check<int>(map(three, subsequence(range(5, 2000), 3, n)));
    check<int>(map(add, numbers, map(three, numbers)));
    check<int>(map(add, subsequence(s, 9, n), numbers));
    check<int>(gather(s, range(7, n + 7)));
    check<int>(map(sum, join(range(2, 5), numbers)));
    check<int>(map(sum, join(numbers, range(short{-3}, short{70}))));
    check<int>(map(sum, join(s, range(0, 3))));
  }
}

TEST_CASE("the least and the greatest numbers of a range") {
  constexpr int least = std::numeric_limits<int>::min();
  constexpr int greatest = std::numeric_limits<int>::max();
  const auto negated = [](int i) { return ~i; };
  check<int>(map(negated, range(least, least + 200)));
  check<int>(map(negated, range(greatest - 200, greatest)));
  const auto all = map(negated, range(least, greatest));
  CHECK(host::detail::block_of<std::remove_const_t<decltype(all)>>::from(
            all, all.size() - 64, 64)[63] == ~(greatest - 1));
  check<std::uint8_t>(
      map([](std::uint8_t i) { return std::uint8_t(i * 3); }, range<std::uint8_t>(0, 255)));
}

TEST_CASE("structs, tuples of them, and both in place") {
  for (const index_t n : {0, 1, 2, 63, 64, 65, 129, 500}) {
    INFO(n);
    const auto made = [](int i) { return point{float(i), std::int16_t(i % 100)}; };
    check<point>(map(made, reverse(range(0, static_cast<int>(n)))));
    check<point>(map(made, range(0, static_cast<int>(n))));
    std::vector<point> a(static_cast<std::size_t>(n));
    std::vector<point> b(a.size());
    std::vector<int> c(a.size());
    const auto both = [](int i) {
      return tuple<point, point, int>{{1, 2}, {{float(i), 3}, {7 * i}}};
    };
    const auto zipped = zip(make_sequence(a), make_sequence(b), make_sequence(c));
    host::detail::assign(zipped, map(both, range(0, static_cast<int>(n))), 0, n);
    bool right = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto k = static_cast<int>(i);
      right = right && a[i] == point{1, 2} && b[i] == point{float(k), 3} && c[i] == 7 * k;
    }
    CHECK(right);
    const auto turned = [](const point& p) { return point{float(p.y), std::int16_t(p.x)}; };
    host::detail::assign(make_sequence(b), map(turned, make_sequence(b)), 0, n);
    for (std::size_t i = 0; i < b.size(); ++i) {
      right = right && b[i] == point{3, static_cast<std::int16_t>(i)};
    }
    CHECK(right);
  }
}
