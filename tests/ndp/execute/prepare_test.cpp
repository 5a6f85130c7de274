// prepare(): checks once and computes at every call; explain(): the default rule's choice as text.
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/prepare.hpp>

#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp_test::message_of;

namespace {

constexpr ndp::platform::openmp here;

struct set_to_index {
  ndp::sequence<double> y;
  void operator()(ndp::index_t i) const { y[i] = static_cast<double>(i); }
};

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row);
  }
};

}  // namespace

TEST_CASE("a prepared computation reads its memory at every call") {
  std::vector<double> x = {1, 2, 3};
  std::vector<double> y(3);
  const auto sums = ndp::inclusive_scan(ndp::plus{}, ndp::make_sequence(x));
  const auto step = ndp::prepare<"sums">(sums, ndp::make_sequence(y), here);
  CHECK(y == std::vector<double>{0, 0, 0});
  step();
  CHECK(y == std::vector<double>{1, 3, 6});
  x[0] = 10;
  step();
  CHECK(y == std::vector<double>{10, 12, 15});
}

TEST_CASE("a map over reductions is prepared and explained as the reduction that it ends") {
  std::vector<double> x = {1, 2, 3, 4};
  std::vector<double> y(2);
  const auto rows = ndp::split(ndp::make_sequence(x), 2);
  const auto means = ndp::map([](double sum) { return sum / 2; }, ndp::map(row_sum{}, rows));
  const auto step = ndp::prepare(means, ndp::make_sequence(y), here);
  x[3] = 5;
  step();
  CHECK(y == std::vector<double>{1.5, 4});
  CHECK(ndp::explain(means, here) == ndp::explain(ndp::map(row_sum{}, rows), here));
  std::vector<double> room(1);
  CHECK(message_of([&] { (void)ndp::prepare<"means">(means, ndp::make_sequence(room), here); }) ==
        "means: the destination has 1 elements, the result has 2");
}

TEST_CASE("updates and counted selections are prepared, too") {
  std::vector<double> y(4);
  const auto fill =
      ndp::prepare(ndp::map(set_to_index{ndp::make_sequence(y)}, ndp::range(0, 4)), here);
  fill();
  CHECK(y == std::vector<double>{0, 1, 2, 3});
  std::vector<double> firsts(4);
  std::vector<int> count(1);
  const auto distinct =
      ndp::prepare(ndp::unique(ndp::make_sequence(y)),
                   ndp::counted(ndp::make_sequence(firsts), ndp::make_sequence(count)), here);
  distinct();
  CHECK(count[0] == 4);
  y[1] = 0;
  distinct();
  CHECK(count[0] == 3);
}

TEST_CASE("sizes are checked when a computation is prepared") {
  const std::vector<double> x(10);
  std::vector<double> y(9);
  const auto e = ndp::map(ndp::negate{}, ndp::make_sequence(x));
  CHECK(message_of([&] { return ndp::prepare<"minus">(e, ndp::make_sequence(y), here); }) ==
        "minus: the destination has 9 elements, the result has 10");
}

TEST_CASE("explain says how many elements start a team, and what it would do") {
  const std::vector<double> x(100000);
  const auto few = ndp::subsequence(ndp::make_sequence(x), 0, 10);
  const std::string alone = ndp::explain(ndp::scan(ndp::plus{}, few), here);
  CHECK(alone.find("scan on openmp: 10 elements") == 0);
  CHECK(alone.find("chosen: the calling thread\n") != std::string::npos);
  const auto rows = ndp::split(ndp::make_sequence(x), 100);
  const std::string sums = ndp::explain(ndp::map(row_sum{}, rows), here);
  CHECK(sums.find("map>reduce on openmp: 100000 elements") == 0);
  const bool has_team = ndp::openmp::detail::team::available() > 1;
  CHECK((sums.find("flattened") != std::string::npos) == has_team);
}
