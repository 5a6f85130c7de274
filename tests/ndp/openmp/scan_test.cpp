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
using ndp_test::made_up;
using openmp_cases::for_each_way;
using openmp_cases::lengths;

namespace {

template <typename E>
auto serial_scan(const E& e) {
  std::vector<typename E::value_type> out(static_cast<std::size_t>(e.size()));
  e.for_each_serial(
      [&](index_t i, const auto& value) { out[static_cast<std::size_t>(i)] = value; });
  return out;
}

// The scan by every schedule and policy, and by the default rule, against the serial one.
template <typename E>
void check_every_way(const E& e) {
  openmp_cases::check_every_way(e, serial_scan(e));
}

}  // namespace

TEMPLATE_TEST_CASE("a scan is the serial one by every schedule and policy", "", double,
                   std::int8_t) {
  const auto values = made_up<TestType>(40001);
  for (const index_t length : lengths()) {
    const auto s = make_sequence(values.data(), length);
    check_every_way(scan(plus{}, s, TestType(5)));
    check_every_way(scan(last_of{}, s, TestType(9)));
  }
}

TEST_CASE("a scan keeps the order of an operator that does not commute") {
  const auto maps = made_up<affine>(40001);
  for (const index_t length : lengths()) {
    check_every_way(scan(compose{}, make_sequence(maps.data(), length), affine{7, 11}));
  }
}

TEST_CASE("a scan of a view is fused") {
  const auto values = made_up<std::int32_t>(5000);
  const auto s = make_sequence(values);
  check_every_way(scan(plus{}, map(multiplies{}, s, reverse(s)), std::int64_t{1}));
}

TEST_CASE("a scan may overwrite its source") {
  for (const index_t length : {0, 1, 5, 1000, 40001}) {
    const auto values = made_up<double>(length);
    const auto expected = serial_scan(scan(plus{}, make_sequence(values), 3.0));
    for_each_way(scan(plus{}, make_sequence(values), 3.0),
                 [&](auto schedule, const openmp::policy& policy, const std::string& text) {
                   INFO(text << ", " << length << " elements");
                   std::vector<double> in_place = values;
                   const auto s = make_sequence(in_place);
                   execute(scan(plus{}, s, 3.0), s, platform::openmp{}, schedule, policy);
                   CHECK(in_place == expected);
                 });
    std::vector<double> in_place = values;
    const auto s = make_sequence(in_place);
    execute(scan(plus{}, s, 3.0), s, platform::openmp{});
    CHECK(in_place == expected);
  }
}

TEST_CASE("a scan of more than a round's pieces") {
  // 256 KiB of a thread's cache hold 32768 doubles: several rounds, the last one short.
  const auto values = made_up<double>(400003);
  const auto e = scan(plus{}, make_sequence(values), 1.0);
  const auto expected = serial_scan(e);
  for (const int threads : {2, 3}) {
    std::vector<double> out(values.size());
    execute(e, make_sequence(out), platform::openmp{}, schedule::cooperative<>{},
            openmp::policy{.num_threads = threads});
    CHECK(out == expected);
  }
}

TEST_CASE("a scan in groups is not more calls of an unknown operator in order") {
  // Sequential means in order: one call an element, each of what came before it.
  const auto values = made_up<double>(100);
  std::vector<double> out(100);
  int calls = 0;
  const auto counting = [&calls](double a, double b) {
    ++calls;
    return a + b;
  };
  execute(scan(counting, make_sequence(values), 0.0), make_sequence(out), platform::openmp{},
          schedule::sequential<>{});
  CHECK(calls == 100);
}
