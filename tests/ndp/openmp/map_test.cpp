// Elementwise computations: map, views, functions called for their effect, scatter.
#include <atomic>
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::elements;
using ndp_test::made_up;
using openmp_cases::for_each_way;
using openmp_cases::lengths;

namespace {

template <typename E>
void check_every_way(const E& e) {
  openmp_cases::check_every_way(e, elements(e));
}

}  // namespace

TEMPLATE_TEST_CASE("maps and views of numbers", "", double, std::int8_t) {
  const auto values = made_up<TestType>(40001);
  const auto indices = ndp_test::shuffled(40001);
  for (const index_t length : lengths()) {
    const auto s = make_sequence(values.data(), length);
    check_every_way(map(plus{}, s, s));
    check_every_way(reverse(s));
    check_every_way(gather(make_sequence(values), make_sequence(indices.data(), length)));
  }
}

TEST_CASE("maps of a type that the layer knows nothing about") {
  const auto particles = made_up<ndp_test::particle>(1000);
  check_every_way(reverse(make_sequence(particles)));
}

TEST_CASE("a map in place") {
  const auto before = made_up<double>(40001);
  const auto expected = elements(map(negate{}, make_sequence(before)));
  for_each_way(map(negate{}, make_sequence(before)),
               [&](auto schedule, const openmp::policy& policy, const std::string& text) {
                 INFO(text);
                 std::vector<double> values = before;
                 const auto s = make_sequence(values);
                 execute(map(negate{}, s), s, platform::openmp{}, schedule, policy);
                 CHECK(values == expected);
               });
}

TEST_CASE("a zip of destinations takes tuples") {
  const auto values = made_up<double>(300);
  const auto numbers = made_up<std::int32_t>(300);
  std::vector<double> a(300);
  std::vector<std::int64_t> b(300);
  execute(zip(make_sequence(values), make_sequence(numbers)),
          zip(make_sequence(a), make_sequence(b)), platform::openmp{}, schedule::independent<>{},
          openmp::policy{.num_threads = 3});
  CHECK(a == values);
  CHECK(b == std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

TEST_CASE("a function that is called for its effect, once an element") {
  std::vector<std::atomic<int>> calls(5000);
  const auto count = [&calls](index_t i) { ++calls[static_cast<std::size_t>(i)]; };
  int times = 0;
  for_each_way(map(count, range(index_t{0}, 5000)),
               [&](auto schedule, const openmp::policy& policy, const std::string& /*text*/) {
                 execute(map(count, range(index_t{0}, 5000)), platform::openmp{}, schedule, policy);
                 ++times;
               });
  execute(map(count, range(index_t{0}, 5000)), platform::openmp{});
  ++times;
  bool right = true;
  for (const auto& called : calls) right = right && called == times;
  CHECK(right);
}

TEST_CASE("a scatter") {
  for (const index_t length : {0, 1, 1000, 40001}) {
    const auto values = made_up<double>(length);
    const auto indices = ndp_test::shuffled(length);
    std::vector<double> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      expected[static_cast<std::size_t>(indices[i])] = values[i];
    }
    std::vector<double> out(values.size());
    const auto e = scatter(make_sequence(values), make_sequence(indices), make_sequence(out));
    for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
      INFO(text);
      out.assign(values.size(), 0.0);
      execute(e, platform::openmp{}, schedule, policy);
      CHECK(out == expected);
    });
    out.assign(values.size(), 0.0);
    execute(e, platform::openmp{});
    CHECK(out == expected);
  }
}
