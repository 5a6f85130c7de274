// inspect_rows: what it finds of rows of many patterns, against plain loops.
#include <cmath>
#include <vector>

#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/inspect_rows.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;

namespace {

ndp::row_statistics inspected(const std::vector<int>& lengths) {
  std::vector<int> offsets{0};
  for (const int length : lengths) offsets.push_back(offsets.back() + length);
  const std::vector<double> values(static_cast<std::size_t>(offsets.back()));
  return ndp::inspect_rows(ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets)),
                           ndp::platform::openmp{});
}

}  // namespace

TEST_CASE("the longest row and the variation of rows") {
  CHECK(inspected({}).longest == 0);
  CHECK(inspected({5}).longest == 5);
  CHECK(inspected({5}).variation == 0.0);
  CHECK(inspected({0, 0, 0}).longest == 0);
  CHECK(inspected({0, 0, 0}).variation == 0.0);
  // Mean 2, deviations 2, 1, 1, 2, 0.
  CHECK(inspected({0, 1, 3, 4, 2}).longest == 4);
  CHECK(inspected({0, 1, 3, 4, 2}).variation == approx(std::sqrt(2.0) / 2));
  std::vector<int> one_giant(100000, 1);
  one_giant[54321] = 70000;
  CHECK(inspected(one_giant).longest == 70000);
}

TEST_CASE("the step of lengths that a row has reached") {
  for (const ndp::index_t first : {1, 2, 3, 7, 8, 1000}) {
    const ndp::detail::length_steps steps{first};
    CHECK(steps.reached(first << 20) == 7);
    for (ndp::index_t length = 0; length < 300 * first; length += first > 8 ? 37 : 1) {
      int expected = -1;
      while (expected < 7 && length >= first << (expected + 1)) ++expected;
      if (steps.reached(length) != expected) FAIL_CHECK(length << " from " << first);
    }
  }
}

TEST_CASE("the work in the longest rows, of rows that a team reads") {
  std::vector<int> lengths(20000, 10);  // 1 % of them are 200
  for (std::size_t i = 0; i < 200; ++i) lengths[i * 97] = 1000;
  CHECK(inspected(lengths).work_in_longest == approx(200'000.0 / (200'000.0 + 198'000.0)));
  CHECK(inspected(lengths).empty == 0.0);
  lengths.resize(40000, 0);
  CHECK(inspected(lengths).empty == 0.5);
  CHECK(inspected(std::vector<int>(5000, 0)).work_in_longest == approx(0.01));
}

TEST_CASE("a nest with statistics of its rows hands them to the default rules") {
  const std::vector<double> values(12);
  const std::vector<int> offsets{0, 4, 12};
  const auto s = ndp::make_sequence(values);
  const auto o = ndp::make_sequence(offsets);
  const auto known = ndp::inspect_rows(ndp::nest(s, o), ndp::platform::openmp{});
  CHECK(ndp::statistics_of_rows(ndp::nest(s, o, known)) == known);
  CHECK(ndp::inspect_rows(ndp::split(s, 5), ndp::platform::openmp{}).longest == 5);
}

TEST_CASE("inspecting rows finds offsets that delimit none") {
  const std::vector<double> values(10);
  const auto inspect = [&](const std::vector<int>& offsets) {
    return ndp::inspect_rows(ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets)),
                             ndp::platform::openmp{});
  };
  CHECK(inspect({0, 7, 7, 10}).longest == 7);
  CHECK_THROWS_WITH(
      inspect({0, 7, 3, 10}),
      "inspect_rows: the offsets decrease, by 4 at one place; those of rows must not");
  CHECK_THROWS_WITH(inspect({0, 7, 9, 30}),
                    "inspect_rows: the rows have 30 elements, the sequence 10");
}
