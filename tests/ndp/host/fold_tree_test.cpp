#include <cmath>
#include <cstdint>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/fold_tree.hpp>
#include <fettle/ndp/host/lanes/seen_whole.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/host/runs_of_numbers.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using namespace ndp_test;

namespace {

namespace loops = fettle::ndp::host::detail;

// x -> a x + b, of numbers that wrap around: not commutative, and exact.
struct line {
  std::uint32_t a;
  std::uint32_t b;
  bool operator==(const line&) const = default;
};
struct after {
  line operator()(const line& f, const line& g) const { return {f.a * g.a, g.a * f.b + g.b}; }
};
struct line_of {
  line operator()(std::uint32_t x) const { return {2 * x + 1, x ^ 7U}; }
};

struct span {
  std::int32_t first;
  std::int32_t last;
  std::int32_t greatest;
  std::int32_t at;
  bool operator==(const span&) const = default;
};
// Of equal numbers the first one's place stays.
struct unite {
  span operator()(const span& a, const span& b) const {
    const span& high = a.greatest < b.greatest ? b : a;
    return {a.first, b.last, high.greatest, high.at};
  }
};
struct span_of {
  span operator()(std::uint32_t x, index_t at) const {
    const auto place = static_cast<std::int32_t>(at);
    return {place, place, static_cast<std::int32_t>(x % 50), place};
  }
};

struct pair {
  double a;
  float b;
};

std::vector<index_t> lengths() {
  std::vector<index_t> all = lengths_to(2048);
  all.insert(all.end(), {127 + 512, 128 + 512, 640 + 127, 1000, 1500});
  return all;
}

// By trees and by fold(), from two starts, against one call after the other.
template <typename T, typename Op, typename S>
void check(const Op& op, const S& s, const T& seed) {
  for (const index_t length : lengths()) {
    for (const index_t first : {index_t{0}, index_t{5}}) {
      if (first > length) continue;
      INFO("elements " << first << " to " << length);
      T expected = seed;
      for (index_t i = first; i < length; ++i) expected = op(expected, s[i]);
      CHECK(loops::fold(op, s, first, length, seed) == expected);
      index_t next = first;
      T whole = loops::fold_trees(op, s, next, length, seed);
      CHECK((length - first) - (next - first) < loops::small_tree_elements);
      for (; next < length; ++next) whole = op(whole, s[next]);
      CHECK(whole == expected);
    }
  }
}

}  // namespace

TEST_CASE("trees keep the order of the operands") {
  const auto all = wrapped_numbers<std::uint32_t>(2100);
  const auto s = make_sequence(all);
  check(after{}, map(line_of{}, s), line{1, 0});
  check(unite{}, map(span_of{}, s, range(0, s.size())), span{-1, -1, -1, -1});
  // Blocks of a range of 32 bits.
  check(unite{}, map(span_of{}, s, range(std::int32_t{0}, static_cast<std::int32_t>(s.size()))),
        span{-1, -1, -1, -1});
}

TEST_CASE("trees of what lies in memory, and of tuples") {
  const auto all = wrapped_numbers<std::uint32_t>(2100);
  std::vector<line> lines;
  std::vector<tuple<std::uint32_t, std::uint32_t>> tuples;
  for (const std::uint32_t x : all) {
    lines.push_back(line_of{}(x));
    tuples.push_back(fettle::ndp::make_tuple(lines.back().a, lines.back().b));
  }
  check(after{}, make_sequence(lines), line{3, 4});
  const auto of_tuples = [](const auto& f, const auto& g) {
    const line h = after{}({get<0>(f), get<1>(f)}, {get<0>(g), get<1>(g)});
    return fettle::ndp::make_tuple(h.a, h.b);
  };
  check(of_tuples, make_sequence(tuples),
        fettle::ndp::make_tuple(std::uint32_t{3}, std::uint32_t{4}));
}

TEST_CASE("structs of numbers of one width have trees") {
  CHECK(loops::fits_columns<line>);
  CHECK(loops::fits_columns<tuple<float, std::int32_t>>);
  CHECK_FALSE(loops::fits_columns<pair>);
  CHECK_FALSE(loops::fits_columns<float>);
  CHECK_FALSE(loops::fits_columns<std::vector<float>>);
  CHECK(loops::folds_by_trees<sequence<const line>, line>);
  CHECK_FALSE(loops::folds_by_trees<sequence<const std::uint8_t>, line>);
}

TEST_CASE("an operator that calls what the compiler does not see is not seen whole") {
  struct logarithms {
    line operator()(const line& a, const line& b) const {
      return {static_cast<std::uint32_t>(std::exp(static_cast<double>(a.a))), b.b};
    }
  };
  CHECK_FALSE(loops::is_seen_whole<line>(logarithms{}));
}
