// Every schedule and policy of platform::tbb against serial loops.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp/explain.hpp>

#include "ndp/support/values.hpp"
#include "ndp/tbb/cases.hpp"

using namespace tbb_cases;
using ndp_test::made_up;

namespace {

struct difference {
  template <typename Cells>
  double operator()(const Cells& n) const {
    return n(0, 1) - n(0, -1);
  }
};

struct is_even {
  bool operator()(int x) const { return x % 2 == 0; }
};

}  // namespace

TEST_CASE("maps, reductions, scans and runs of every length") {
  for (const index_t length : {0, 1, 2, 3, 7, 8, 9, 127, 128, 129, 4095, 4097, 40001}) {
    const std::vector<double> x = made_up<double>(length);
    const auto s = ndp::make_sequence(x);
    std::vector<double> negated;
    std::vector<double> before;
    double sum = 5.0;
    for (const double value : x) {
      negated.push_back(-value);
      before.push_back(sum);
      sum += value;
    }
    check_every_way<on_tbb>(ndp::map(ndp::negate{}, s), negated, policies());
    check_every_way<on_tbb>(ndp::scan(ndp::plus{}, s, 5.0), before, policies());
    check_every_way<on_tbb>(ndp::reduce(ndp::plus{}, s, 5.0), std::vector<double>{sum}, policies());
    CHECK(ndp::execute(ndp::reduce(ndp::plus{}, s, 5.0), on_tbb{}) == sum);

    std::vector<int> keys;
    std::vector<double> sums;
    for (index_t i = 0; i < length; ++i) {
      keys.push_back(static_cast<int>(i < 50 ? i / 3 : 100 + i / 900));
      const double value = x[static_cast<std::size_t>(i)];
      if (i == 0 || keys[static_cast<std::size_t>(i)] != keys[static_cast<std::size_t>(i) - 1]) {
        sums.push_back(1.0);
      }
      sums.back() += value;
    }
    check_every_way<on_tbb>(ndp::reduce_by_key(ndp::plus{}, s, ndp::make_sequence(keys), 1.0), sums,
                            policies());
  }
}

TEST_CASE("selections, histograms and sorts") {
  for (const index_t length : {0, 1, 2, 129, 4097, 40001}) {
    const std::vector<int> x = made_up<int>(length);
    const auto s = ndp::make_sequence(x);
    std::vector<int> evens;
    std::vector<int> odds;
    std::vector<ndp::index_t> counts(8);
    for (const int value : x) {
      (is_even{}(value) ? evens : odds).push_back(value);
      if (value >= 0 && value < 8) ++counts[static_cast<std::size_t>(value)];
    }
    const auto kept = static_cast<ndp::index_t>(evens.size());
    check_every_way<on_tbb>(ndp::filter(is_even{}, s), evens, policies());
    std::vector<int> room(x.size());
    CHECK(ndp::execute(ndp::filter(is_even{}, s), ndp::make_sequence(room), on_tbb{}) == kept);
    evens.insert(evens.end(), odds.begin(), odds.end());
    check_every_way<on_tbb>(ndp::partition(is_even{}, s), evens, policies());
    check_every_way<on_tbb>(ndp::histogram(s, 8), counts, policies());
    std::vector<int> sorted = x;
    std::sort(sorted.begin(), sorted.end());
    check_every_way<on_tbb>(ndp::sort(s), sorted, policies());
  }
}

TEST_CASE("rows of every shape") {
  for (const auto& shape : ndp_test::row_shapes()) {
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    const auto rows = ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets));
    std::vector<double> sums;
    std::vector<double> before(x.size());
    std::vector<double> negated(x.size());
    for (index_t i = 0; i < rows.size(); ++i) {
      double sum = 1.0;
      for (auto k = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1]); ++k) {
        before[k] = sum;
        negated[k] = -x[k];
        sum += x[k];
      }
      sums.push_back(sum + 1.0);
    }
    check_every_way<on_tbb>(ndp::map(row_sum{}, rows), sums, policies(), shape.name);
    check_every_way<on_tbb>(ndp::map(row_scan{}, rows), before, policies(), shape.name);
    check_every_way<on_tbb>(ndp::map(row_negated{}, rows), negated, policies(), shape.name);
  }
}

TEST_CASE("windows that overlap") {
  const std::vector<double> x = made_up<double>(5'003);
  for (const index_t k : {1, 5, 200, 5'003, 5'004}) {
    for (const index_t stride : {1, 3}) {
      std::vector<double> sums;
      for (auto begin = x.begin(); x.end() - begin >= k; begin += stride) {
        sums.push_back(std::accumulate(begin, begin + k, 2.0));
        if (x.end() - begin < stride) break;
      }
      const auto rows = ndp::windows(ndp::make_sequence(x), k, stride);
      check_every_way<on_tbb>(ndp::map(row_sum{}, rows), sums, policies());
    }
  }
}

TEST_CASE("stencils, also of cells at the borders") {
  for (const auto& [height, width] :
       std::vector<std::pair<index_t, index_t>>{{0, 3}, {1, 1}, {2, 70}, {70, 2}, {90, 101}}) {
    const std::vector<double> x = made_up<double>(height * width);
    const auto grid = ndp::make_grid(ndp::make_sequence(x), height, width);
    const auto cells = ndp::halo(grid, 1, ndp::boundary::constant{3});
    std::vector<double> sums;
    std::vector<double> differences;
    for (index_t i = 0; i < cells.size(); ++i) {
      double sum = 2.0;
      const auto value = [&](index_t row, index_t column) {
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        return inside ? x[static_cast<std::size_t>(row * width + column)] : 3.0;
      };
      for (index_t k = 0; k < 9; ++k) sum += value(i / width + k / 3 - 1, i % width + k % 3 - 1);
      sums.push_back(sum);
      differences.push_back(value(i / width, i % width + 1) - value(i / width, i % width - 1));
    }
    check_every_way<on_tbb>(ndp::map(row_sum{}, cells), sums, policies());
    check_every_way<on_tbb>(ndp::map(difference{}, cells), differences, policies());
  }
}

TEST_CASE("sums of fractions are the same at every run") {
  std::vector<double> x;
  for (int i = 0; i < 100'000; ++i) x.push_back(1.0 / (1 + i % 977));
  std::vector<index_t> offsets{0, 10, 10, 60'000, 60'001, 100'000};
  const auto total = ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0);
  const auto rows =
      ndp::map(row_sum{}, ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets)));
  const double first = ndp::execute(total, on_tbb{});
  std::vector<double> first_rows(5);
  ndp::execute(rows, ndp::make_sequence(first_rows), on_tbb{});
  for (int turn = 0; turn < 50; ++turn) {
    CHECK(ndp::execute(total, on_tbb{}) == first);
    std::vector<double> out(5);
    ndp::execute(rows, ndp::make_sequence(out), on_tbb{});
    CHECK(out == first_rows);
  }
}

TEST_CASE("explain counts the threads of the arena") {
  const std::vector<double> x(100'000);
  const auto rows = ndp::split(ndp::make_sequence(x), 100);
  const std::string text = ndp::explain(ndp::map(row_sum{}, rows), on_tbb{});
  const std::string threads = std::to_string(ndp::tbb::detail::team::available());
  CHECK(text.find("map>reduce on tbb: 100000 elements; a team of " + threads + " threads") == 0);
  CHECK(text.find("chosen: ") != std::string::npos);
}

TEST_CASE("policies have a text form and limits") {
  const ndp::tbb::policy policy{
      .num_threads = 4,
      .level = {.first = {.partitioner = ndp::tbb::partitioner_type::static_, .grain_size = 64},
                .second = {.resource = ndp::tbb::execution_resource::tasks}}};
  const std::string text = "num_threads=4 1.partitioner=static 1.grain_size=64 2.resource=tasks";
  CHECK(to_string(policy) == text);
  CHECK(ndp::tbb::parse_policy(text) == policy);
  CHECK(ndp::tbb::parse_policy("2.execution_resource=tasks").level.second.resource ==
        ndp::tbb::execution_resource::tasks);
  const ndp::schedule::independent<> schedule;
  CHECK(violation(policy, schedule).empty());
  CHECK(violation(ndp::tbb::policy{.num_threads = -1}, schedule) ==
        "num_threads must be positive, or 0 for the arena's threads");
  CHECK(violation(ndp::tbb::policy{.level = {.second = {.unroll = 3}}}, schedule) ==
        "unroll must be 1, 2, 4 or 8, or 0 for the compiler's choice");
  CHECK(violation(ndp::tbb::policy{.level = {.third = {.grain_size = -1}}}, schedule) ==
        "grain_size must be positive, or 0 for the kernel's choice");
}
