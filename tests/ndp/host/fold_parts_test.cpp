#include <cmath>
#include <cstdint>
#include <vector>

#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/fold_parts.hpp>
#include <fettle/ndp/host/lanes/selection.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/host/runs_of_numbers.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using namespace ndp_test;

namespace {

namespace loops = fettle::ndp::host::detail;

// x -> a x + b, of numbers that wrap around, and how many of them: exact, not commutative, and of
// two widths.
struct line {
  std::uint64_t a;
  std::uint64_t b;
  std::uint32_t count;
  bool operator==(const line&) const = default;
};
struct after {
  line operator()(const line& f, const line& g) const {
    return {f.a * g.a, g.a * f.b + g.b, f.count + g.count};
  }
};
struct line_of {
  line operator()(std::uint64_t x) const { return {2 * x + 1, x ^ 7U, 1}; }
};

// The same with an array, of which the numbers are not known.
struct pair {
  std::uint64_t of[2];
  bool operator==(const pair&) const = default;
};
struct after_pair {
  pair operator()(const pair& f, const pair& g) const {
    return {{f.of[0] * g.of[0], g.of[0] * f.of[1] + g.of[1]}};
  }
};
struct pair_of {
  pair operator()(std::uint64_t x) const { return {{2 * x + 1, x ^ 7U}}; }
};

struct order {
  std::int64_t number;
  std::int32_t date;
  float amount;
  bool operator==(const order&) const = default;
};
// Of equal dates the last one, or the first one.
struct later {
  order operator()(const order& a, const order& b) const { return b.date < a.date ? a : b; }
};
struct earlier {
  order operator()(const order& a, const order& b) const { return b.date < a.date ? b : a; }
};

// Operators that are none of a whole.
struct extremes {
  order operator()(const order& a, const order& b) const {
    return {b.number < a.number ? b.number : a.number, a.date < b.date ? b.date : a.date, b.amount};
  }
};
struct sums {
  order operator()(const order& a, const order& b) const {
    return {a.number + b.number, a.date + b.date, a.amount + b.amount};
  }
};
struct sum_and_last {
  order operator()(const order& a, const order& b) const {
    return {a.number + b.number, b.date, b.amount};
  }
};
struct unseen {
  order operator()(const order& a, const order& b) const {
    return std::remainder(static_cast<double>(a.amount), 3.0) < 1.0 ? a : b;
  }
};

// By every loop for structs, from two starts, against one call after the other.
template <typename T, typename Op, typename S>
void check(const Op& op, const S& s, const T& seed) {
  for (const index_t length : lengths_to(4096)) {
    for (const index_t first : {index_t{0}, index_t{5}}) {
      if (first > length) continue;
      INFO("elements " << first << " to " << length);
      T expected = seed;
      for (index_t i = first; i < length; ++i) expected = op(expected, s[i]);
      for (const bool prefetch : {false, true}) {
        CHECK(loops::fold(op, s, first, length, seed, prefetch) == expected);
        CHECK(loops::fold_parts(op, s, first, length, seed, prefetch) == expected);
        CHECK(loops::fold_selection(op, s, first, length, seed, prefetch) == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("parts keep the order of the operands, whatever the elements' width is") {
  const auto bytes = wrapped_numbers<std::uint8_t>(4100);
  const auto words = wrapped_numbers<std::uint64_t>(4100);
  std::vector<line> lines;
  for (const std::uint64_t x : words) lines.push_back(line_of{}(x));
  check(after{}, map(line_of{}, make_sequence(bytes)), line{3, 4, 0});
  check(after{}, map(line_of{}, make_sequence(words)), line{3, 4, 0});
  check(after{}, make_sequence(lines), line{3, 4, 0});
  check(after_pair{}, map(pair_of{}, make_sequence(words)), pair{{3, 4}});
}

TEST_CASE("runs that are streams are cut into four parts") {
  const auto words = wrapped_numbers<std::uint64_t>(40000);
  const auto s = map(line_of{}, make_sequence(words));
  constexpr index_t streams = loops::bytes_of_streams / 8;
  for (const index_t length : {streams - 1, streams, streams + 1, streams + 1003}) {
    line expected{3, 4, 0};
    for (index_t i = 0; i < length; ++i) expected = after{}(expected, s[i]);
    CHECK(loops::fold_parts(after{}, s, 0, length, line{3, 4, 0}, true) == expected);
  }
}

TEST_CASE("a search finds the first or the last one of equals") {
  std::vector<order> orders;
  for (const std::uint32_t x : wrapped_numbers<std::uint32_t>(4100)) {
    orders.push_back({static_cast<std::int64_t>(orders.size()),
                      static_cast<std::int32_t>((x >> 16U) % 20U), 0.5F});
  }
  check(later{}, make_sequence(orders), order{-1, 0, 0});
  check(earlier{}, make_sequence(orders), order{-1, 100, 0});
}

TEST_CASE("blocks of parts are a kilobyte, of wide elements the fewest that have parts") {
  CHECK(loops::elements_in_parts_v<sequence<const std::uint8_t>> == 1024);
  CHECK(loops::elements_in_parts_v<sequence<const line>> == 1024 / sizeof(line));
  struct wide {
    double numbers[64];
  };
  CHECK(loops::elements_in_parts_v<sequence<const wide>> == loops::fewest_in_parts);
}

TEST_CASE("a sample tells operators that choose by several numbers") {
  using candidate = fettle::ndp::tuple<double, std::int64_t>;
  const auto nearer = [](const candidate& a, const candidate& b) {
    const bool takes_b = get<0>(b) < get<0>(a) || (get<0>(b) == get<0>(a) && get<1>(b) < get<1>(a));
    return takes_b ? b : a;
  };
  const auto ranges = [](const candidate& a, const candidate& b) {
    return fettle::ndp::make_tuple(std::min(get<0>(a), get<0>(b)), std::max(get<1>(a), get<1>(b)));
  };
  const auto adds = [](const candidate& a, const candidate& b) {
    return fettle::ndp::make_tuple(get<0>(a) + get<0>(b), get<1>(a) + get<1>(b));
  };
  std::vector<double> distances;
  for (const auto x : wrapped_numbers<std::uint32_t>(5000)) distances.push_back(x % 97U);
  const auto s = fettle::ndp::zip(make_sequence(distances),
                                  fettle::ndp::range(std::int64_t{0}, std::int64_t{5000}));
  CHECK(loops::chose_in_sample<candidate>(nearer, s, 0, 5000));
  CHECK(loops::chose_in_sample<candidate>(nearer, s, 17, 1100));
  CHECK_FALSE(loops::chose_in_sample<candidate>(ranges, s, 0, 5000));
  CHECK_FALSE(loops::chose_in_sample<candidate>(adds, s, 0, 5000));
  const std::vector<candidate> same(5000, candidate{});
  CHECK_FALSE(loops::chose_in_sample<candidate>(nearer, make_sequence(same), 0, 5000));
  candidate expected = fettle::ndp::make_tuple(1e9, std::int64_t{-1});
  for (index_t i = 0; i < 5000; ++i) expected = nearer(expected, s[i]);
  const candidate seed = fettle::ndp::make_tuple(1e9, std::int64_t{-1});
  CHECK(loops::fold(nearer, s, 0, 5000, seed) == expected);
}

TEST_CASE("a sample tells operators that merge the greatest few, and no extremes") {
  using two = fettle::ndp::tuple<double, double>;
  const auto greatest_two = [](const two& a, const two& b) {
    const two& high = get<0>(b) > get<0>(a) ? b : a;
    const two& low = get<0>(b) > get<0>(a) ? a : b;
    return fettle::ndp::make_tuple(get<0>(high), std::max(get<1>(high), get<0>(low)));
  };
  const auto extremes = [](const two& a, const two& b) {
    return fettle::ndp::make_tuple(std::min(get<0>(a), get<0>(b)), std::max(get<1>(a), get<1>(b)));
  };
  std::vector<two> ones;
  std::vector<two> pairs;
  for (const auto x : wrapped_numbers<std::uint32_t>(1100)) {
    const double value = x % 9973U;
    ones.push_back(fettle::ndp::make_tuple(value, -1.0));
    pairs.push_back(fettle::ndp::make_tuple(value, value));
  }
  for (const index_t count : {32, 48, 1023, 1024, 1100}) {
    CAPTURE(count);
    CHECK(loops::chose_in_sample<two>(greatest_two, make_sequence(ones), 0, count));
    CHECK_FALSE(loops::chose_in_sample<two>(extremes, make_sequence(pairs), 0, count));
    two expected = fettle::ndp::make_tuple(-1.0, -1.0);
    for (index_t i = 0; i < count; ++i) {
      expected = greatest_two(expected, ones[static_cast<std::size_t>(i)]);
    }
    const two seed = fettle::ndp::make_tuple(-1.0, -1.0);
    CHECK(loops::fold(greatest_two, make_sequence(ones), 0, count, seed) == expected);
  }
}

TEST_CASE("operators that combine number by number are known where the compiler optimises") {
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
  CHECK(loops::result_of<order>(extremes{}) == loops::result_from::each_number);
  CHECK(loops::result_of<order>(sums{}) == loops::result_from::each_number);
  CHECK(loops::result_of<order>(sum_and_last{}) == loops::result_from::each_number);
#endif
  CHECK(loops::result_of<order>(later{}) != loops::result_from::each_number);
  CHECK(loops::result_of<order>(unseen{}) != loops::result_from::each_number);
  CHECK(loops::result_of<line>(after{}) != loops::result_from::each_number);
}

TEST_CASE("operators that choose a whole operand are known where the compiler optimises") {
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
  CHECK(loops::result_of<order>(later{}) == loops::result_from::one_operand);
  CHECK(loops::result_of<order>(earlier{}) == loops::result_from::one_operand);
#endif
  CHECK(loops::result_of<order>(extremes{}) != loops::result_from::one_operand);
  CHECK(loops::result_of<order>(sums{}) != loops::result_from::one_operand);
  CHECK(loops::result_of<order>(sum_and_last{}) != loops::result_from::one_operand);
  CHECK(loops::result_of<order>(unseen{}) != loops::result_from::one_operand);
  CHECK(loops::result_of<line>(after{}) != loops::result_from::one_operand);
  CHECK(loops::can_be_chosen<tuple<float, std::int64_t>>);
  CHECK_FALSE(loops::can_be_chosen<pair>);
  CHECK_FALSE(loops::can_be_chosen<double>);
  CHECK_FALSE(loops::can_be_chosen<tuple<float, long double>>);
}
