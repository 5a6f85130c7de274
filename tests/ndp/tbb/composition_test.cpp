// Computations on platform::tbb inside other tasks, beside each other, and with functions that
// throw or start tasks themselves.
#include <atomic>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fettle/ndp/explain.hpp>

#include "ndp/support/values.hpp"
#include "ndp/tbb/cases.hpp"

using namespace tbb_cases;
using ndp_test::made_up;
namespace schedule = fettle::ndp::schedule;

namespace {

constexpr index_t count = 50'000;

// Reduces, scans and adds up rows, and says whether all is right.
bool all_right(const ndp::tbb::policy& policy = {.num_threads = 3}) {
  const std::vector<double> x = made_up<double>(count);
  const std::vector<index_t> offsets{0, 3, 3, 40'000, count};
  const auto s = ndp::make_sequence(x);
  const auto total = ndp::reduce(ndp::plus{}, s, 0.0);
  const auto scanned = ndp::scan(ndp::plus{}, s, 0.0);
  const auto rows = ndp::map(row_sum{}, ndp::nest(s, ndp::make_sequence(offsets)));
  std::vector<double> out(x.size());
  std::vector<double> sums(4);
  const schedule::cooperative<> together;
  bool right = ndp::execute(total, on_tbb{}, together, policy) == total.evaluate();
  ndp::execute(scanned, ndp::make_sequence(out), on_tbb{}, together, policy);
  right = right && out.back() + x.back() == total.evaluate();
  ndp::execute(rows, ndp::make_sequence(sums), on_tbb{}, schedule::flattened<>{}, policy);
  return right && sums[0] + sums[1] + sums[2] + sums[3] == total.evaluate() + 8.0;
}

// Starts tasks for each element.
struct nesting_function {
  double operator()(double x) const {
    std::atomic<int> turns{0};
    ::tbb::parallel_for(0, 4, [&](int) { ++turns; });
    return x + turns;
  }
};

struct throwing {
  const double* bad;
  double operator()(const double& x) const {
    if (&x == bad) throw std::runtime_error("an element");
    return x;
  }
};

}  // namespace

TEST_CASE("inside tasks and arenas") {
  std::atomic<int> right{0};
  ::tbb::parallel_for(0, 16, [&](int) { right += all_right() ? 1 : 0; });
  CHECK(right == 16);
  ::tbb::task_arena arena(2);
  CHECK(arena.execute([] { return all_right() && all_right({}); }));
}

TEST_CASE("from several threads at once") {
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&right, i] {
      for (int turn = 0; turn < 5; ++turn) right += all_right({.num_threads = 1 + i}) ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(right == 20);
}

TEST_CASE("functions that start tasks themselves, also in a scan whose pieces wait") {
  const std::vector<double> x = made_up<double>(5'000);
  const auto e = ndp::scan(ndp::plus{}, ndp::map(nesting_function{}, ndp::make_sequence(x)), 0.0);
  std::vector<double> expected;
  double sum = 0;
  for (const double value : x) {
    expected.push_back(sum);
    sum += value + 4;
  }
  std::vector<double> out(x.size());
  const ndp::tbb::policy policy{.num_threads = 4, .level = {.first = {.grain_size = 512}}};
  ndp::execute(e, ndp::make_sequence(out), on_tbb{}, schedule::cooperative<>{}, policy);
  CHECK(out == expected);
}

TEST_CASE("what functions throw comes out of every schedule and policy") {
  const std::vector<double> x = made_up<double>(20'000);
  const std::vector<index_t> offsets{0, 0, 19'000, 20'000};
  std::vector<double> out(x.size());
  for (const std::size_t bad : {std::size_t{0}, std::size_t{12'345}, x.size() - 1}) {
    const auto s = ndp::map(throwing{&x[bad]}, ndp::make_sequence(x));
    const auto check = [&](const auto& e) {
      for_each_way<on_tbb>(
          e, policies(), [&](auto way, const auto& policy, const std::string& text) {
            INFO(text << ", element " << bad);
            CHECK_THROWS_AS(ndp::execute(e, ndp::make_sequence(out), on_tbb{}, way, policy),
                            std::runtime_error);
          });
      CHECK_THROWS_AS(ndp::execute(e, ndp::make_sequence(out), on_tbb{}), std::runtime_error);
    };
    check(s);
    // Not the last element, which a scan does not need.
    if (bad + 1 < x.size()) check(ndp::scan(ndp::plus{}, s, 0.0));
    check(ndp::reduce(ndp::plus{}, s, 0.0));
    check(ndp::map(row_sum{}, ndp::nest(s, ndp::make_sequence(offsets))));
  }
  CHECK(all_right());
}

TEST_CASE("explain speaks of the threads of the calling thread's arena") {
  const std::vector<double> x(count);
  const auto e = ndp::map(row_sum{}, ndp::split(ndp::make_sequence(x), 100));
  for (const int threads : {2, 3}) {
    ::tbb::task_arena arena(threads);
    const std::string text = arena.execute([&] { return ndp::explain(e, on_tbb{}); });
    CHECK(text.starts_with("map>reduce on tbb: 50000 elements; a team of " +
                           std::to_string(threads) + " threads "));
    CHECK(text.find("chosen: flattened: equal tiles of rows and elements\n") != std::string::npos);
  }
}
