// execute() itself: its forms, and the errors that it throws before anything is written.
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/executing.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using ndp_test::executing;

namespace {

constexpr ndp::platform::openmp here;

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};

}  // namespace

TEST_CASE("execute has a short form, and longer ones") {
  const std::vector<double> x = {1, 2, 3};
  std::vector<double> y(3);
  const auto in = ndp::make_sequence(x);
  const auto out = ndp::make_sequence(y);
  const auto e = ndp::map(ndp::negate{}, in);
  const std::vector<double> expected = {-1, -2, -3};
  const auto realised = [&] {
    const std::vector<double> found = y;
    y.assign(3, 0.0);
    return found;
  };
  ndp::execute(e, out);
  CHECK(realised() == expected);
  ndp::execute<"negation">(e, out);
  CHECK(realised() == expected);
  ndp::execute(e, out, here);
  CHECK(realised() == expected);
  ndp::execute(e, out, here, schedule::independent<>{});
  CHECK(realised() == expected);
  ndp::execute(e, out, here, schedule::sequential<>{}, ndp::openmp::policy{.num_threads = 2});
  CHECK(realised() == expected);
  ndp::execute(e, out, here, schedule::independent<>{},
               ndp::constant<ndp::openmp::policy{.num_threads = 2}>{});
  CHECK(realised() == expected);
}

TEST_CASE("a reduce is returned, put into a variable, or into a sequence") {
  const auto e = ndp::reduce(ndp::plus{}, ndp::range(0, 101), 0.5);
  CHECK(ndp::execute(e) == 5050.5);
  CHECK(ndp::execute<"sum">(e, here) == 5050.5);
  CHECK(ndp::execute(e, here, schedule::cooperative<>{}) == 5050.5);
  CHECK(ndp::execute(e, here, schedule::sequential<>{}, ndp::openmp::policy{}) == 5050.5);
  float f = 0.0F;
  ndp::execute(e, f);
  CHECK(f == 5050.5F);
  int i = 0;
  ndp::execute(e, i, here, schedule::cooperative<>{});
  CHECK(i == 5050);
  std::vector<double> y(2, 7.0);
  ndp::execute(e, ndp::make_sequence(y));
  CHECK(y == std::vector<double>{5050.5, 7.0});
}

TEST_CASE("results convert to the destination's elements") {
  std::vector<std::int8_t> y(3);
  ndp::execute(ndp::map(ndp::plus{}, ndp::range(0, 3), ndp::replicate(0.5, 3)),
               ndp::make_sequence(y));
  CHECK(y == std::vector<std::int8_t>{0, 1, 2});
  ndp::execute(ndp::scan(ndp::plus{}, ndp::range(0, 3), 10.0), ndp::make_sequence(y));
  CHECK(y == std::vector<std::int8_t>{10, 10, 11});
}

TEST_CASE("a destination that is too small is named, and nothing is written") {
  std::vector<double> y(2, 7.0);
  const auto out = ndp::make_sequence(y);
  const auto five = ndp::range(0.0, 5.0);
  CHECK(executing(ndp::map(ndp::negate{}, five), out) ==
        "spmv: the destination has 2 elements, the result has 5");
  CHECK(executing(ndp::scan(ndp::plus{}, five, 0.0), out, here, schedule::sequential<>{}) ==
        "spmv: the destination has 2 elements, the result has 5");
  CHECK(executing(ndp::map(row_sum{}, ndp::split(five, 2)), out) ==
        "spmv: the destination has 2 elements, the result has 3");
  CHECK(executing(ndp::map(row_scan{}, ndp::split(five, 2)), ndp::split(out, 1)) ==
        "spmv: the destination has 2 rows, the result has 3");
  CHECK(executing(ndp::reduce(ndp::plus{}, five, 0.0), ndp::sequence<double>{}) ==
        "spmv: the destination has 0 elements, the result has 1");
  CHECK(y == std::vector<double>(2, 7.0));
}

TEST_CASE("a policy that a schedule cannot use is named") {
  std::vector<double> y(5);
  const auto e = ndp::map(ndp::negate{}, ndp::range(0.0, 5.0));
  const std::string problem = executing(e, ndp::make_sequence(y), here, schedule::independent<>{},
                                        ndp::openmp::policy{.num_threads = -1});
  CHECK(problem.starts_with("spmv: "));
  CHECK(problem.find("num_threads must be positive") != std::string::npos);
}
