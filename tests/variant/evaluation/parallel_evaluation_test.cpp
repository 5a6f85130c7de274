// Features and constraints evaluated in parallel and in the background on oneTBB.
#if __has_include(<oneapi/tbb/task_group.h>)
#include <atomic>
#include <chrono>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/parallel_evaluation.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

struct parallel {
  static constexpr std::string_view name = "f";
  static constexpr bool parallel_feature_evaluation = true;
  static constexpr bool parallel_constraint_evaluation = true;
  using evaluation = fettle::tbb_evaluation;
};
struct async {
  static constexpr std::string_view name = "f";
  static constexpr bool async_feature_eval = true;
  using evaluation = fettle::tbb_evaluation;
};
struct async_parallel {
  static constexpr std::string_view name = "f";
  static constexpr bool async_feature_eval = true;
  static constexpr bool parallel_feature_evaluation = true;
  static constexpr bool parallel_constraint_evaluation = true;
  using evaluation = fettle::tbb_evaluation;
};

/// The model splits on the sum; two more features that it uses are not needed for that.
template <typename Policy>
struct tuned {
  using vec = std::vector<double>;
  explicit tuned(fettle::context& cx) : f(cx) {
    f.add_variant("low", [](const vec&) { return 1.0; });
    f.add_variant("high", [](const vec&) { return 2.0; });
    f.add_input_feature("x", [this](const vec& v) {
      ++evaluated;
      double sum = 0.0;
      for (const double y : v) sum += y;
      return sum;
    });
    f.add_constraint("high", [this](const vec& v) {
      ++constraints;
      return v.size() < 1000;
    });
    f.add_constraint("low", [this](const vec&) {
      ++constraints;
      return true;
    });
  }
  std::atomic<int> evaluated{0};
  std::atomic<int> constraints{0};
  fettle::code_variant<Policy, std::tuple<const vec&>> f;
};

struct setting {
  setting() { test::write_model(folder.path(), {}); }
  test::scratch folder;
  fettle::context cx{{folder.path(), [](std::string_view) { FAIL("a warning"); }, false}};
  std::vector<double> small = std::vector<double>(5, 1.0);
  std::vector<double> large = std::vector<double>(50, 1.0);
  std::vector<double> illegal = std::vector<double>(1000, 0.05);
};

}  // namespace

TEMPLATE_TEST_CASE("every way of evaluating selects alike", "", parallel, async, async_parallel) {
  setting s;
  tuned<TestType> t(s.cx);
  CHECK(t.f(s.small) == 1.0);
  CHECK(t.f(s.large) == 2.0);
  CHECK(t.f(s.illegal) == 1.0);
  CHECK(t.f.last_selection()->reason == fettle::selection_reason::constraint_failed);
  for (int round = 0; round < 50; ++round) {
    t.f.fix_inputs(s.small);
    CHECK(t.f() == 1.0);
    t.f.fix_inputs(s.large);
    CHECK(t.f() == 2.0);
    t.f.fix_inputs(s.illegal);
    CHECK(t.f() == 1.0);
  }
}

TEST_CASE("fix_inputs evaluates once, whatever the number of calls") {
  setting s;
  tuned<async> t(s.cx);
  t.f.fix_inputs(s.large);
  for (int call = 0; call < 5; ++call) CHECK(t.f() == 2.0);
  CHECK(t.evaluated == 1);
}

TEST_CASE("fixing again, or leaving, waits for what is still under way") {
  setting s;
  for (int round = 0; round < 20; ++round) {
    tuned<async_parallel> t(s.cx);
    t.f.fix_inputs(s.small);
    t.f.fix_inputs(s.large);
    if (round % 2 == 0) CHECK(t.f() == 2.0);
  }
}

TEST_CASE("the caller goes on while features are evaluated") {
  setting s;
  fettle::code_variant<async, std::tuple<std::atomic<bool>&>> f(s.cx);
  f.add_variant("low", [](std::atomic<bool>&) { return 1.0; });
  f.add_variant("high", [](std::atomic<bool>&) { return 2.0; });
  // Ends only when the caller, back from fix_inputs, says so.
  f.add_input_feature("x", [](std::atomic<bool>& go) {
    while (!go) std::this_thread::yield();
    return 30.0;
  });
  std::atomic<bool> go{false};
  f.fix_inputs(go);
  go = true;
  CHECK(f() == 2.0);
}

TEST_CASE("parallel constraints are all evaluated, serial ones only where needed") {
  setting s;
  tuned<parallel> p(s.cx);
  p.f(s.large);
  CHECK(p.constraints == 2);
  tuned<async> a(s.cx);
  a.f(s.large);
  CHECK(a.constraints == 1);
}

TEST_CASE("features that throw in the background mean the default") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  std::vector<std::string> warnings;
  fettle::context cx{
      {folder.path(), [&](std::string_view text) { warnings.emplace_back(text); }, false}};
  fettle::code_variant<async_parallel, std::tuple<int>> f(cx);
  f.add_variant("low", [](int) { return 1.0; });
  f.add_variant("high", [](int) { return 2.0; });
  f.add_input_feature("x", [](int) -> double { throw std::runtime_error("no"); });
  f.fix_inputs(3);
  CHECK(f() == 1.0);
  CHECK(f(4) == 1.0);
  CHECK(f.last_selection()->reason == fettle::selection_reason::feature_failed);
  CHECK(warnings.size() == 1);
}

TEST_CASE("parallel selections from many threads") {
  setting s;
  tuned<parallel> t(s.cx);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        if (t.f.select(round % 2 == 0 ? s.small : s.large).index !=
            static_cast<std::size_t>(round % 2)) {
          ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

// Races on purpose, hidden: they run only where the thread sanitizer is to find them, in spite of
// all that is left out of its reports (cxx_tests.cmake).

namespace {

/// Two threads meet here, in no order that a sanitizer would know, and write the same integer.
struct collision {
  bool collide() {
    arrived.fetch_add(1, std::memory_order_relaxed);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (arrived.load(std::memory_order_relaxed) < 2) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("no other thread came");
      std::this_thread::yield();
    }
    ++touched;
    return true;
  }
  std::atomic<int> arrived{0};
  // Apart from what is waited on, which else would push it from the sanitizer's short memory.
  alignas(64) int touched = 0;
};

/// A second thread, also where there is one core.
struct two_threads {
  template <typename F>
  void run(F f) {
    arena.execute(f);
  }
  oneapi::tbb::global_control limit{oneapi::tbb::global_control::max_allowed_parallelism, 2};
  oneapi::tbb::task_arena arena{2};
};

}  // namespace

TEST_CASE("two constraints race", "[.race][constraints]") {
  setting s;
  collision shared;
  fettle::code_variant<parallel, std::tuple<int>> f(s.cx);
  f.add_variant("low", [](int) { return 1.0; });
  f.add_variant("high", [](int) { return 2.0; });
  f.add_input_feature("x", [](int n) { return n; });
  f.add_constraint("low", [&](int) { return shared.collide(); });
  f.add_constraint("high", [&](int) { return shared.collide(); });
  two_threads().run([&] { f(30); });
}

TEST_CASE("a feature in the background races with the caller", "[.race][background]") {
  setting s;
  collision shared;
  fettle::code_variant<async, std::tuple<int>> f(s.cx);
  f.add_variant("low", [](int) { return 1.0; });
  f.add_variant("high", [](int) { return 2.0; });
  f.add_input_feature("x", [&](int n) { return shared.collide() ? n : 0; });
  two_threads().run([&] {
    f.fix_inputs(30);
    shared.collide();
    f();
  });
}
#else
#include "support/skip.hpp"

TEST_CASE("skipped: parallel evaluation") { test::skip_program("needs oneTBB"); }
#endif
