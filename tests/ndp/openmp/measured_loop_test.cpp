// Elements of unknown cost: who begins, and that what was measured before never changes a result.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/dispatch/measured_cost.hpp>
#include <fettle/ndp/host/dispatch/measured_loop.hpp>
#include <fettle/ndp/host/dispatch/shared_loop.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/meeting.hpp"
#include "support/catch.hpp"
#include "support/openmp_threads.hpp"

using namespace fettle::ndp;
using namespace std::chrono_literals;
using seconds = std::chrono::duration<double>;

namespace measured = host::detail;

TEST_CASE("what an element took is known from the last time, interruptions apart") {
  measured::measured_cost cost;
  CHECK(cost.each() == 0s);
  cost.learn(0s);
  CHECK(cost.each() == 0s);
  cost.learn(1us);
  CHECK(cost.each().count() == approx(1e-6).epsilon(1e-3));
  cost.learn(1s);
  CHECK(cost.each().count() == approx(2e-6).epsilon(1e-3));
  cost.learn(1ns);
  CHECK(cost.each().count() == approx(1e-9).epsilon(1e-3));
}

TEST_CASE("a team begins at once where the loop is known to take longer than starting it") {
  constexpr seconds awake = 1.5us;
  constexpr seconds asleep = 20us;
  CHECK(measured::begins_at_once(4us, 1ns, awake));
  CHECK(!measured::begins_at_once(2us, 1ns, awake));
  INFO("one that sleeps is not woken for what has not been looked at");
  CHECK(!measured::begins_at_once(100us, 1us, asleep));
  CHECK(measured::begins_at_once(100us, 50us, asleep));
  CHECK(measured::begins_at_once(1ms, 1us, asleep));
}

TEST_CASE("the calling thread looks whether elements are as cheap as they were") {
  std::vector<index_t> ends;
  const auto slow = [&](index_t /*begin*/, index_t end) {
    ends.push_back(end);
    std::this_thread::sleep_for(1ms);
  };
  CHECK(measured::do_as_known(1000, slow, 1ns).done == 8);
  CHECK(measured::do_as_known(10, slow, 1ns).done == 1);
  CHECK(ends == std::vector<index_t>{8, 1});
  ends.clear();
  CHECK(measured::do_as_known(1000, slow, 1h).done == 1000);
  CHECK(measured::do_as_known(1, slow, 1ns).done == 1);
  CHECK(measured::do_as_known(8, slow, 1h).done == 8);
  CHECK(ends == std::vector<index_t>{8, 1000, 1, 1, 8});
}

TEST_CASE("elements that are slower than the first ones are known to be so the next time") {
  const auto late = [](index_t /*begin*/, index_t end) {
    if (end > 8) std::this_thread::sleep_for(10ms);
  };
  const auto whole = measured::do_as_known(100, late, 1h);
  CHECK(whole.done == 100);
  CHECK(whole.each > 50us);
  const auto few = measured::do_as_known(100, late, 1ns);  // of which no clock is expected to tell
  CHECK(few.done == 100);
  CHECK(few.each > 20us);
  const auto nothing = [](index_t /*begin*/, index_t /*end*/) {};
  bool is_as_known = false;
  for (int i = 0; i < 100 && !is_as_known; ++i) {  // none is interrupted each time
    is_as_known = measured::do_as_known(100, nothing, 1ns).each == seconds(1ns);
  }
  CHECK(is_as_known);
  // An interruption of the first ones would say that they are slow, too: then the rest is timed.
  measured::measured_cost cost;
  cost.learn(1ns);
  static_cast<void>(measured::begin_measured<openmp::detail::team>(100, 4, cost, late));
  CHECK(cost.each().count() == approx(2e-9).epsilon(1e-3));
}

TEST_CASE("where teams are disturbed the calling thread measures cheap elements anew") {
  const auto nothing = [](index_t /*begin*/, index_t /*end*/) {};
  const auto done_alone = [&](seconds known) {
    measured::measured_cost cost;
    cost.learn(known);
    return measured::begin_measured<openmp::detail::team>(10000, 4, cost, nothing).done;
  };
  CHECK(done_alone(1us) == 0);
  measured::disturbed_until = std::chrono::steady_clock::now() + 1h;
  CHECK(done_alone(1us) > 0);
  CHECK(done_alone(1ms) == 0);
  measured::disturbed_until = {};
}

TEST_CASE("what the calling thread does alone grows step by step") {
  index_t longest = 1;
  static_cast<void>(measured::start_alone(100000, [&](index_t begin, index_t end) {
    CHECK(end - begin <= 8 * longest);
    longest = std::max(longest, end - begin);
  }));
}

TEST_CASE("a thread takes what is worth a look at the clock") {
  measured::pace its(9ns, 100000);
  CHECK(its.least() == 320);  // 3 us in whole blocks
  CHECK(its.most() == 832);
  its.learn(832, 832 * 900ns);
  CHECK(its.least() == 3);
  CHECK(its.most() == 55);
  its.learn(2, 2 * 1ns);
  CHECK(its.least() == 2944);
  CHECK(its.most() == 2944);
  its.learn(2944, 2944 * 1ns);
  CHECK(its.most() == 7936);
}

#ifdef _OPENMP
TEST_CASE("elements are computed once, whatever they are known to take") {
  const test::threads four(4);
  for (const seconds known : {seconds(0s), seconds(1e-12), seconds(1ns), seconds(100ns),
                              seconds(1us), seconds(1ms), seconds(1h)}) {
    for (const index_t count : {0, 1, 2, 3, 5, 64, 65, 1000, 30000}) {
      measured::measured_cost cost;
      cost.learn(known);
      std::vector<int> times(static_cast<std::size_t>(count));
      measured::for_measured<openmp::detail::team>(count, 4, cost, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
      });
      CHECK(std::count(times.begin(), times.end(), 1) == count);
    }
  }
}

TEST_CASE("what any element throws comes out, whatever they are known to take") {
  const test::threads four(4);
  for (const seconds known : {seconds(0s), seconds(1ns), seconds(1us), seconds(1ms)}) {
    for (const index_t thrower : {0, 1, 500, 999}) {
      measured::measured_cost cost;
      cost.learn(known);
      const auto work = [&](index_t begin, index_t end) {
        if (begin <= thrower && thrower < end) throw std::runtime_error("thrown");
      };
      CHECK_THROWS_WITH(measured::for_measured<openmp::detail::team>(1000, 4, cost, work),
                        "thrown");
    }
  }
}

TEST_CASE("when an element throws, other threads leave the rest undone") {
  const test::threads two(2);
  measured::measured_cost cost;
  cost.learn(1ms);
  std::atomic<index_t> done{0};
  const auto work = [&](index_t begin, index_t end) {
    if (begin == 0) throw std::runtime_error("thrown");
    std::this_thread::sleep_for((end - begin) * 1ms);
    done += end - begin;
  };
  CHECK_THROWS_WITH(measured::for_measured<openmp::detail::team>(2000, 2, cost, work), "thrown");
  CHECK(done < 1999);
}

TEST_CASE("two elements that were slow the last time are shared, also in a reduction") {
  const test::threads two(2);
  // Alone a thread waits for none.
  const auto attending = [](ndp_test::meeting& m) {
    const auto one = [&m](index_t /*i*/) {
      if (omp_in_parallel() != 0) return index_t{m.attend()};
      std::this_thread::sleep_for(10ms);
      return index_t{0};
    };
    return map(one, range(index_t{0}, 2));
  };
  ndp_test::meeting mapped;
  std::vector<index_t> threads(2);
  execute(attending(mapped), make_sequence(threads), platform::openmp{});
  execute(attending(mapped), make_sequence(threads), platform::openmp{});
  CHECK(mapped.held());
  CHECK(threads == std::vector<index_t>{0, 1});
  ndp_test::meeting reduced;
  const auto sum = [&] {
    return execute(reduce(maximum{}, attending(reduced), index_t{0}), platform::openmp{});
  };
  CHECK(sum() == 0);
  CHECK(sum() == 1);
  CHECK(reduced.held());
}

TEST_CASE("elements that were cheap the last time are shared when they are slow") {
  const test::threads two(2);
  ndp_test::meeting slow;
  bool is_slow = false;
  const auto one = [&](index_t /*i*/) {
    if (!is_slow) return 0;
    if (omp_in_parallel() != 0) return slow.attend();
    std::this_thread::sleep_for(10ms);
    return 0;
  };
  std::vector<int> threads(3);
  const auto run = [&] {
    execute(map(one, range(index_t{0}, 3)), make_sequence(threads), platform::openmp{});
  };
  run();
  run();
  is_slow = true;
  run();
  CHECK(slow.held());
}

TEST_CASE("a loop that was known to be worth a team runs on one thread in another") {
  const test::threads two(2);
  const auto one = [](index_t i) {
    const fettle::timer clock;
    while (clock.seconds() < 1e-4) std::this_thread::yield();
    return i;
  };
  const auto right = [&] {
    std::vector<index_t> out(32);
    execute(map(one, range(index_t{0}, 32)), make_sequence(out), platform::openmp{});
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] != static_cast<index_t>(i)) return false;
    }
    return true;
  };
  CHECK(right());
  int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  wrong += right() ? 0 : 1;
  CHECK(wrong == 0);
}
#endif
