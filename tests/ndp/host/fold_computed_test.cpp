// Reductions of numbers that functions compute, by blocks and of indices alone, beside a loop.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"

namespace {

using namespace fettle::ndp;

constexpr index_t lengths[] = {0,  1,  2,  3,  8,   15,  16,  17,  31,  32,
                               33, 63, 64, 65, 127, 128, 129, 191, 200, 1000};

std::vector<double> numbers(index_t count) {
  std::vector<double> all;
  for (index_t i = 0; i < count; ++i) all.push_back(static_cast<double>((i * 7919 + 13) % 101));
  return all;
}

// From the element `first` on.
template <typename T, typename Op, typename S>
void check(const Op& op, const S& s, T seed) {
  for (const index_t first : {index_t{0}, index_t{3}}) {
    if (first > s.size()) continue;
    T expected = seed;
    for (index_t i = first; i < s.size(); ++i) expected = static_cast<T>(op(expected, s[i]));
    REQUIRE(host::detail::fold(op, s, first, s.size(), seed) == expected);
  }
}

// Whole numbers, so that sums of them do not depend on the order.
struct weighted {
  double operator()(double x, index_t place) const { return 2 * x - static_cast<double>(place); }
};
struct narrowed {
  std::int16_t operator()(double x) const { return static_cast<std::int16_t>(x - 50); }
};

// How an element differs from the next one, of the last one the first, and from the one before.
struct to_next {
  sequence<const double> row;
  std::int64_t operator()(index_t i) const {
    const index_t next = i + 1 < row.size() ? i + 1 : 0;
    return static_cast<std::int64_t>(row[next] - row[i]) * (i + 1);
  }
};
struct is_ascent {
  sequence<const double> row;
  std::int32_t operator()(index_t i) const {
    return row[i] < row[i + 1 == row.size() ? 0 : i + 1] ? 1 : 0;
  }
};
struct from_previous {
  sequence<const double> row;
  double operator()(index_t i) const { return row[i] - row[i == 0 ? row.size() - 1 : i - 1]; }
};

}  // namespace

TEST_CASE("a reduction of computed numbers has the value of a loop") {
  for (const index_t length : lengths) {
    const auto all = numbers(length);
    const auto s = make_sequence(all);
    const auto placed = map(weighted{}, s, range(0, length));
    check(plus{}, placed, 3.0);
    check(minimum{}, placed, 1e9);
    check(maximum{}, placed, -1e9);
    check(plus{}, map(narrowed{}, s), std::int32_t{7});
    check(bit_xor{}, map(narrowed{}, s), std::int64_t{7});
    check(minimum{}, map(narrowed{}, s), std::int16_t{77});
    check(plus{}, map(narrowed{}, s), 1.0f);
  }
}

TEST_CASE("a reduction of a function of indices has the value of a loop") {
  for (const index_t length : lengths) {
    const auto all = numbers(length);
    const auto s = make_sequence(all);
    const auto places = range(index_t{0}, length);
    check(plus{}, map(to_next{s}, places), std::int64_t{5});
    check(maximum{}, map(to_next{s}, places), std::numeric_limits<std::int64_t>::lowest());
    check(plus{}, map(is_ascent{s}, places), std::int32_t{0});
    check(plus{}, map(from_previous{s}, places), 0.5);
    check(minimum{}, map(from_previous{s}, places), 0.5);
    const auto narrow = range<std::int32_t>(0, static_cast<std::int32_t>(length));
    check(bit_or{}, map(is_ascent{s}, narrow), std::int32_t{0});
    check(plus{}, map(to_next{s}, narrow), std::int64_t{5});
  }
}

TEST_CASE("what is no number is not an extreme of computed numbers") {
  for (const index_t length : lengths) {
    auto all = numbers(length);
    for (std::size_t i = 0; i < all.size(); i += 3) {
      all[i] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto placed = map(weighted{}, make_sequence(all), range(0, length));
    check(minimum{}, placed, 1e9);
    check(maximum{}, placed, -1e9);
  }
}
