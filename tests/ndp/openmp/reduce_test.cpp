#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::last_of;
using openmp_cases::for_each_way;
using openmp_cases::lengths;
using openmp_cases::plus_of_user;

namespace {

// The reduction by every schedule and policy, and by the default rule, against its serial value.
template <typename E>
void check_every_way(const E& e) {
  const auto expected = e.evaluate();
  for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
    INFO(text << ", " << e.source.size() << " elements");
    CHECK(execute(e, platform::openmp{}, schedule, policy) == expected);
  });
  CHECK(execute(e, platform::openmp{}) == expected);
}

}  // namespace

TEMPLATE_TEST_CASE("a reduction has the serial value by every schedule and policy", "", double,
                   std::int8_t) {
  const auto values = ndp_test::made_up<TestType>(40001);
  for (const index_t length : lengths()) {
    const auto s = make_sequence(values.data(), length);
    check_every_way(reduce(plus{}, s, TestType(5)));
    check_every_way(reduce(maximum{}, s, TestType(1)));
    check_every_way(reduce(last_of{}, s, TestType(9)));
    check_every_way(reduce(plus_of_user{}, s, TestType(0)));
  }
}

TEST_CASE("a reduction keeps the order of an operator that does not commute") {
  const auto maps = ndp_test::made_up<affine>(40001);
  for (const index_t length : lengths()) {
    check_every_way(reduce(compose{}, make_sequence(maps.data(), length), affine{7, 11}));
  }
}

TEST_CASE("an integer seed does not truncate") {
  const std::vector<double> halves(33, 0.5);
  check_every_way(reduce(plus{}, make_sequence(halves), 1));
}

TEST_CASE("a reduction of a view is fused") {
  const auto values = ndp_test::made_up<double>(40001);
  const auto s = make_sequence(values);
  check_every_way(reduce(plus{}, map(multiplies{}, s, reverse(s)), 0.0));
  check_every_way(reduce(plus{}, range(std::int64_t{0}, 20000), std::int64_t{0}));
}

TEST_CASE("a floating-point sum is the same every time for the same number of threads") {
  std::vector<double> values(200003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
  const auto e = reduce(plus{}, make_sequence(values), 0.0);
  for (const auto schedule : {openmp::omp_schedule::static_, openmp::omp_schedule::dynamic,
                              openmp::omp_schedule::guided}) {
    openmp::policy policy{.num_threads = 3};
    policy.level.first = {.schedule = schedule, .chunk_size = 1000};
    const double once = execute(e, platform::openmp{}, schedule::cooperative<>{}, policy);
    CHECK(once == approx(e.evaluate()));
    for (int again = 0; again < 20; ++again) {
      CHECK(execute(e, platform::openmp{}, schedule::cooperative<>{}, policy) == once);
    }
  }
}

TEST_CASE("a reduction into a variable and into a sequence of one") {
  const auto values = ndp_test::made_up<double>(100);
  const auto e = reduce(plus{}, make_sequence(values), 0.0);
  std::vector<float> into(1);
  execute(e, make_sequence(into), platform::openmp{}, schedule::cooperative<>{});
  CHECK(into[0] == static_cast<float>(e.evaluate()));
  double variable = 0;
  execute(e, variable, platform::openmp{});
  CHECK(variable == e.evaluate());
}
