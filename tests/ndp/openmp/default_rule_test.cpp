// What the default rule makes of lengths and types; its results are tested with every kernel.
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/dispatch/cost.hpp>
#include <fettle/ndp/host/dispatch/default_rule.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/meeting.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

using namespace fettle::ndp;

namespace {

struct sum_row {
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(plus{}, row, 0.0);
  }
};
struct square {
  double operator()(double x) const { return x * x; }
};
struct sum_of_squares {
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(plus{}, map(square{}, row), 0.0);
  }
};
struct sums_of_tiles {
  template <typename Row>
  auto operator()(const Row& row) const {
    return map(sum_row{}, split(row, 10));
  }
};

using numbers = sequence<const double>;

}  // namespace

TEST_CASE("only a user's function can be expensive") {
  STATIC_REQUIRE(host::detail::is_cheap_v<numbers>);
  STATIC_REQUIRE(host::detail::is_cheap_v<decltype(map(plus{}, numbers{}, reverse(numbers{})))>);
  STATIC_REQUIRE(host::detail::is_cheap_v<decltype(map(sum_row{}, split(numbers{}, 3)))>);
  STATIC_REQUIRE(host::detail::is_cheap_v<decltype(map(sums_of_tiles{}, split(numbers{}, 3)))>);
  STATIC_REQUIRE(!host::detail::is_cheap_v<decltype(map(square{}, numbers{}))>);
  STATIC_REQUIRE(!host::detail::is_cheap_v<decltype(reverse(map(square{}, numbers{})))>);
  STATIC_REQUIRE(!host::detail::is_cheap_v<decltype(map(sum_of_squares{}, split(numbers{}, 3)))>);
}

TEST_CASE("elements are counted where rows' places are known, else judged by some rows") {
  const auto values = ndp_test::made_up<double>(1000);
  const auto s = make_sequence(values);
  CHECK(host::detail::elements_of(s) == 1000);
  CHECK(host::detail::elements_of(reduce(plus{}, s, 0.0)) == 1000);
  CHECK(host::detail::elements_of(map(sum_row{}, split(s, 7))) == 1000);
  CHECK(host::detail::elements_of(map(sum_row{}, cyclic(s, 10))) ==
        1010);  // and the rows themselves
  CHECK(host::detail::elements_of(map(sum_row{}, cyclic(subsequence(s, 0, 0), 10))) == 10);
  const auto three = host::detail::elements_of(map(sums_of_tiles{}, split(s, 100)));
  CHECK(three >= 1000);
  CHECK(three <= 1200);
}

TEST_CASE("a function that reduces something else than its row is judged by what it reduces") {
  const auto values = ndp_test::made_up<double>(1000);
  const auto s = make_sequence(values);
  const auto all = [s](const auto& /*row*/) { return reduce(plus{}, s, 0.0); };
  const auto e = map(all, split(s, 2));
  CHECK(host::detail::follows_shape(map(sum_row{}, split(s, 2))));
  CHECK(!host::detail::follows_shape(e));
  CHECK(host::detail::elements_of(e) == 500 * 1000 + 500);
  std::vector<double> out(500);
  execute(e, make_sequence(out), platform::openmp{});
  CHECK(out == std::vector<double>(500, all(s).evaluate()));
}

#ifdef _OPENMP
TEST_CASE("a few elements that may be slow are shared, also in a reduction") {
  const test::threads two(2);
  ndp_test::meeting mapped;
  ndp_test::meeting reduced;
  // The first elements show a thread alone how long they take: longer than it is to have patience.
  const auto attending = [](ndp_test::meeting& m) {
    const auto one = [&m](index_t /*i*/) {
      if (omp_in_parallel() != 0) return index_t{m.attend()};
      const fettle::timer clock;
      while (clock.seconds() < 1e-3) std::this_thread::yield();
      return index_t{0};
    };
    return map(one, range(index_t{0}, 64));
  };
  std::vector<index_t> threads(64);
  execute(attending(mapped), make_sequence(threads), platform::openmp{});
  CHECK(mapped.held());
  CHECK(execute(reduce(maximum{}, attending(reduced), index_t{0}), platform::openmp{}) == 1);
  CHECK(reduced.held());
}
#endif

TEST_CASE("chunks are worth their synchronisation and balance") {
  const auto chunk = [](index_t count, index_t elements, int threads) {
    return host::detail::rows_in_chunk(count, elements, threads, 1);
  };
  CHECK(chunk(1000000, 3000000, 2) == 5462);  // 16384 elements
  CHECK(chunk(1000, 1000000, 2) == 15);
  CHECK(chunk(1000, 100000000, 2) == 1);
  CHECK(chunk(10, 1000000, 4) == 1);
  CHECK(chunk(0, 0, 4) == 1);
  CHECK(chunk(640, 640, 2) == 10);  // 64 chunks
}

TEST_CASE("chunks of rows that are done together are multiples of their number") {
  const auto chunk = [](index_t rows, int threads, index_t together) {
    return host::detail::rows_in_chunk(rows, rows * 100000, threads, together);
  };
  CHECK(chunk(1000, 2, 16) == 16);
  CHECK(chunk(1000000, 16, 64) == 64);
  INFO("a few expensive rows are for all threads");
  CHECK(chunk(1000, 16, 64) == 15);
  CHECK(chunk(100, 16, 64) == 7);
  CHECK(chunk(10, 16, 64) == 1);
}

TEST_CASE("the calling thread begins, and leaves what is slow to a team") {
  index_t next = 0;
  const auto begun = host::detail::start_alone(5000, [&](index_t begin, index_t end) {
    CHECK((begin == next && end > begin && end <= 5000));
    next = end;
  });
  CHECK((begun.done == next && next > 0));
  const auto slow = host::detail::start_alone(1000, [](index_t begin, index_t end) {
    std::this_thread::sleep_for((end - begin) * std::chrono::milliseconds(1));
  });
  CHECK(slow.done == 1);
  CHECK(slow.each >= std::chrono::milliseconds(1));
  CHECK(host::detail::start_alone(0, [](index_t, index_t) { FAIL(); }).done == 0);
}

#ifdef _OPENMP
TEST_CASE("inside a parallel region the default is one thread") {
  const auto values = ndp_test::made_up<double>(100000);
  const auto e = reduce(plus{}, make_sequence(values), 0.0);
  const double expected = e.evaluate();
  const int outside = omp_get_max_threads();
  int members = 0;
  int right = 0;
  int alone = 0;
#pragma omp parallel num_threads(2) reduction(+ : members, right, alone)
  {
    ++members;
    right += execute(e, platform::openmp{}) == expected ? 1 : 0;
    alone += openmp::detail::thread_count(0) == (omp_get_num_threads() > 1 ? 1 : outside) ? 1 : 0;
  }
  CHECK(right == members);
  CHECK(alone == members);
}
#endif
