// Rows of elements on equal shares, cut anywhere: each element once and in its place, and the long
// row among short ones on all threads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/flattened/even_rows.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/meeting.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

using namespace fettle::ndp;
using ndp_test::made_up;
using openmp::omp_schedule;

namespace {

using lanes = schedule::cooperative<schedule::cooperative<>>;

[[nodiscard]] std::vector<openmp::policy> loop_schedules() {
  std::vector<openmp::policy> out{{}};
  for (const auto& level : {openmp::level{.schedule = omp_schedule::static_, .chunk_size = 5},
                            openmp::level{.schedule = omp_schedule::dynamic, .chunk_size = 1},
                            openmp::level{.schedule = omp_schedule::guided, .chunk_size = 3}}) {
    openmp::policy policy;
    policy.level.first = level;
    out.push_back(policy);
  }
  return out;
}

struct twice {
  std::atomic<long>* calls;
  double operator()(double x) const {
    ++*calls;
    return 2 * x;
  }
};
struct twice_row {
  std::atomic<long>* calls;
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(twice{calls}, row);
  }
};
struct without_first {
  template <typename Row>
  auto operator()(const Row& row) const {
    const index_t skip = row.size() > 0 ? 1 : 0;
    return map(negate{}, subsequence(row, skip, row.size() - skip));
  }
};
// Element -> who computed it.
struct who {
  int operator()(index_t /*i*/) const { return test::this_thread(); }
};
struct who_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(who{}, row);
  }
};

template <typename Schedule, typename E, typename D>
void on_threads(openmp::policy policy, int threads, const E& e, const D& destination) {
  policy.num_threads = threads;
  host::detail::rows_in_equal_tiles<Schedule>(openmp::detail::team(policy), e, destination);
}

}  // namespace

TEST_CASE("every element of every row is computed once, however tiles are cut") {
  std::atomic<long> calls{0};
  for (const auto& shape : ndp_test::row_shapes()) {
    const auto values = made_up<double>(shape.count() + 3);
    auto offsets = shape.offsets();
    for (auto& offset : offsets) offset += 3;  // the first elements are in no row
    std::vector<double> expected(values.size(), -1.0);
    for (std::size_t i = 3; i < values.size(); ++i) expected[i] = 2 * values[i];
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    const auto e = map(twice_row{&calls}, rows);
    for (const auto& policy : loop_schedules()) {
      for (const int threads : {1, 2, 3, 7}) {
        INFO(shape.name << ", " << threads << " threads, " << to_string(policy));
        std::vector<double> out(values.size(), -1.0);
        calls = 0;
        on_threads<lanes>(policy, threads, e, make_sequence(out));
        CHECK(out == expected);
        CHECK(calls == shape.count());
        std::fill(out.begin(), out.end(), -1.0);
        on_threads<lanes>(policy, threads, e, nest(make_sequence(out), make_sequence(offsets)));
        CHECK(out == expected);
      }
    }
  }
}

TEST_CASE("results that are shorter than the rows they come from") {
  for (const auto& shape : ndp_test::row_shapes()) {
    const auto values = made_up<double>(shape.count());
    const auto offsets = shape.offsets();
    const auto e = map(without_first{}, nest(make_sequence(values), make_sequence(offsets)));
    std::vector<double> expected(values.size(), 7.0);
    for (index_t i = 0; i < e.size(); ++i) {
      for (index_t j = 0; j < e[i].size(); ++j) {
        expected[static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)] + j)] = e[i][j];
      }
    }
    for (const auto& policy : loop_schedules()) {
      INFO(shape.name << ", " << to_string(policy));
      std::vector<double> out(values.size(), 7.0);
      on_threads<lanes>(policy, 3, e, nest(make_sequence(out), make_sequence(offsets)));
      CHECK(out == expected);
    }
  }
}

#ifdef _OPENMP
TEST_CASE("equal tiles of a long row among short ones") {
  std::vector<index_t> offsets{0};
  for (int i = 0; i < 300; ++i) offsets.push_back(offsets.back() + (i == 100 ? 30000 : i % 3));
  const auto e = map(who_row{}, nest(range(index_t{0}, offsets.back()), make_sequence(offsets)));
  std::vector<int> out(static_cast<std::size_t>(offsets.back()));
  const openmp::policy equal;
  on_threads<lanes>(equal, 3, e, make_sequence(out));
  for (int thread = 0; thread < 3; ++thread) {
    const auto part = std::count(out.begin(), out.end(), thread);
    CHECK(part > static_cast<index_t>(out.size()) / 3 - 300);
    CHECK(part < static_cast<index_t>(out.size()) / 3 + 300);
  }
}

TEST_CASE("the default rule has several threads work on one long row") {
  const test::threads two(2);
  ndp_test::meeting meeting;
  struct attend {
    ndp_test::meeting* at;
    int operator()(index_t i) const {
      // The first element shows the calling thread, alone, that a team is worth waking.
      if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return 2 <= i && i < 20000 ? at->attend() : 0;
    }
  };
  const auto by_elements = [&](const auto& row) { return map(attend{&meeting}, row); };
  const std::vector<index_t> offsets = {0, 1, 2, 20000, 20001};
  std::vector<int> out(20001);
  execute(map(by_elements, nest(range(index_t{0}, 20001), make_sequence(offsets))),
          make_sequence(out), platform::openmp{});
  CHECK(meeting.held());
}
#endif

TEST_CASE("an exception comes out of a part of a row") {
  const auto values = made_up<double>(20000);
  const std::vector<index_t> offsets = {0, 0, 19000, 20000};
  const auto throwing = [&](const auto& row) {
    return map(
        [&](const double& x) {
          if (&x == &values[12345]) throw std::runtime_error("element 12345");
          return x;
        },
        row);
  };
  std::vector<double> out(20000);
  CHECK_THROWS_AS(execute(map(throwing, nest(make_sequence(values), make_sequence(offsets))),
                          make_sequence(out), platform::openmp{}),
                  std::runtime_error);
}
