// Selection from many threads at once, the first call included; under the thread sanitizer too.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

template <typename Work>
void in_threads(int count, Work work) {
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k) {
    threads.emplace_back([&, k] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      work(k);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("threads that make the first call together and go on selecting") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  for (int round = 0; round < 10; ++round) {
    fettle::context cx({folder.path(), {}, true});
    fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
    f.add_variant("low", [](int) { return 1.0; });
    f.add_variant("high", [](int) { return 2.0; });
    f.add_input_feature("x", [](int x) { return x; });
    std::atomic<int> wrong{0};
    in_threads(4, [&](int) {
      for (int i = 0; i < 500; ++i) {
        const int x = i % 2 == 0 ? 3 : 30;
        if (f(x) != (x == 3 ? 1.0 : 2.0)) ++wrong;
        auto bound = f.bind(x);
        if (bound() != (x == 3 ? 1.0 : 2.0)) ++wrong;
        if (!f.last_selection()) ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("threads with functions of their own share the model and one warning") {
  const test::scratch folder;
  std::atomic<int> warnings{0};
  fettle::context cx({folder.path(), [&](std::string_view) { ++warnings; }, false});
  in_threads(4, [&](int) {
    fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
    f.add_variant("low", [](int) { return 1.0; });
    f(1);
  });
  CHECK(warnings == 1);
}

TEST_CASE("a model that is written anew while threads select and read it") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  const auto write_split_at = [&](double threshold) {
    test::split_model described;
    described.threshold = threshold;
    test::write_model(folder.path(), described);
  };
  // A reader between the two files of a model gets a warning, and the default.
  fettle::context cx({folder.path(), [](std::string_view) {}, false});
  const auto make = [&] {
    auto f = std::make_unique<fettle::code_variant<fettle::policy<"f">, std::tuple<int>>>(cx);
    f->add_variant("low", [](int) { return 1.0; });
    f->add_variant("high", [](int) { return 2.0; });
    f->add_input_feature("x", [](int x) { return x; });
    return f;
  };
  const auto kept = make();
  CHECK((*kept)(20) == 2.0);
  std::atomic<int> wrong{0};
  in_threads(4, [&](int k) {
    for (int i = 0; i < 100; ++i) {
      if (k == 0) {
        write_split_at(i % 2 == 0 ? 30 : 10);
        continue;
      }
      const auto own = make();
      const double chosen = (*own)(20);
      for (int call = 0; call < 20; ++call) {
        if ((*kept)(20) != 2.0) ++wrong;    // a function keeps the model that it began with
        if ((*own)(20) != chosen) ++wrong;  // whichever that was
      }
    }
  });
  CHECK(wrong == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // files' times are coarse
  write_split_at(30);
  CHECK((*make())(20) == 1.0);
  CHECK((*make())(40) == 2.0);
  CHECK((*kept)(20) == 2.0);
}

TEST_CASE("traced selections from many threads are whole lines") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  const std::string file = folder / "trace.jsonl";
  const test::environment_variable trace("FETTLE_TRACE", file);
  fettle::context cx({folder.path(), {}, true});
  fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
  f.add_variant("low", [](int) { return 1.0; });
  f.add_variant("high", [](int) { return 2.0; });
  f.add_input_feature("x", [](int x) { return x; });
  in_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) f(i);
  });
  const std::vector<std::string> lines = test::lines_of(file);
  CHECK(lines.size() == 400);
  for (const std::string& line : lines) {
    REQUIRE(line.starts_with("{\"function\":\"f\""));
    REQUIRE(line.ends_with("\"}"));
  }
}

// A sanitizer's own locks do not survive a fork() among threads.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("children that are forked while threads trace their calls do not wait") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  const test::environment_variable trace("FETTLE_TRACE", folder / "trace.jsonl");
  fettle::context cx({folder.path(), {}, true});
  fettle::code_variant<fettle::policy<"f">, std::tuple<int>> f(cx);
  f.add_variant("low", [](int) { return 1.0; });
  f.add_variant("high", [](int) { return 2.0; });
  f.add_input_feature("x", [](int x) { return x; });
  f(1);
  std::atomic<bool> is_done{false};
  int failed = 0;
  in_threads(3, [&](int k) {
    if (k > 0) {
      while (!is_done) f(k);
      return;
    }
    for (int i = 0; i < 100; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);  // a child that waits for a lock of the parent's threads ends so
        _exit(f(1) == 1.0 ? 0 : 1);
      }
      int status = -1;
      if (child < 0 || waitpid(child, &status, 0) != child || status != 0) ++failed;
    }
    is_done = true;
  });
  CHECK(failed == 0);
}
#endif
