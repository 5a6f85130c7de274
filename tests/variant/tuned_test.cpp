// tuned<"name", signature>(setup): registered once, by the first caller, and kept.
#include <atomic>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"

namespace {

int called_late(int x);

/// Destroyed after what was made later, as the function that it calls then.
struct caller_at_the_end {
  ~caller_at_the_end() {
    if (called_late(3) != 4) std::abort();
  }
};
const caller_at_the_end at_the_end;

int called_late(int x) {
  static auto& function = fettle::tuned<"tuned called late", int(int)>(
      [](auto& f) { f.add_variant("plus one", [](int n) { return n + 1; }); });
  return function(x);
}

fettle::context& silent() {
  static fettle::context cx({"", [](std::string_view) {}, false});
  return cx;
}

std::atomic<int> registrations{0};

int plus_one(int x) {
  static auto& function = fettle::tuned<"tuned plus one", int(int)>(silent(), [](auto& f) {
    ++registrations;
    f.add_variant("plus one", [](int n) { return n + 1; });
    f.add_variant("minus minus one", [](int n) { return n - -1; });
    f.add_input_feature("n", [](int n) { return n; });
  });
  return function(x);
}

// At namespace scope, with the default context.
auto& doubled = fettle::tuned<"tuned doubled", std::tuple<std::span<double>>>([](auto& f) {
  f.add_variant("one by one", [](std::span<double> all) {
    for (double& x : all) x *= 2.0;
  });
});

struct two_phase {
  static constexpr std::string_view name = "tuned with a policy";
  static constexpr std::size_t variant_count = 1;
};

int attempts = 0;

auto& failing() {
  return fettle::tuned<"tuned failing", int(int)>(silent(), [](auto& f) {
    f.add_variant("first", [](int n) { return n; });
    if (++attempts == 1) f.add_variant("first", [](int n) { return n; });  // throws: a second one
  });
}

}  // namespace

TEST_CASE("many threads register a tuned function once") {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&right, i] { right += plus_one(i) == i + 1 ? 1 : 0; });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 8);
  CHECK(registrations == 1);
}

TEST_CASE("a tuned function at namespace scope is complete when main begins") {
  std::vector<double> values{1.0, 2.5};
  doubled(values);
  CHECK(values == std::vector<double>{2.0, 5.0});
}

TEST_CASE("a tuned function takes a policy in place of a name") {
  auto& f = fettle::tuned<two_phase, int(int)>(
      silent(), [](auto& made) { made.add_variant("same", [](int n) { return n; }); });
  CHECK(f(3) == 3);
  CHECK(f.last_selection()->variant == "same");
}

TEST_CASE("each expression has a function, and returns the same one every time") {
  const auto make = []() -> auto& {
    return fettle::tuned<"tuned twice", int(int)>(
        silent(), [](auto& f) { f.add_variant("a", [](int n) { return n; }); });
  };
  auto& other = fettle::tuned<"tuned twice", int(int)>(
      silent(), [](auto& f) { f.add_variant("b", [](int n) { return -n; }); });
  CHECK(&make() == &make());
  CHECK(&make() != &other);
  CHECK(other(2) == -2);
}

TEST_CASE("a setup that throws is tried again by the next call") {
  CHECK_THROWS_AS(failing(), fettle::error);
  CHECK(failing()(4) == 4);
  CHECK(attempts == 2);
}

TEST_CASE("a tuned function may be called when its static neighbours are destroyed") {
  CHECK(called_late(1) == 2);  // and by at_the_end
}

TEST_CASE("a warning's handler may call the function whose first call warns") {
  static int heard = 0;
  static int (*call)(int) = nullptr;
  static fettle::context cx({"/nowhere", [](std::string_view) { heard += call(heard); }, false});
  static auto& function = fettle::tuned<"tuned warning", int(int)>(cx, [](auto& f) {
    f.add_variant("plus one", [](int n) { return n + 1; });
    f.add_variant("minus minus one", [](int n) { return n - -1; });
    f.add_input_feature("n", [](int n) { return n; });
  });
  call = [](int n) { return function(n); };
  CHECK(call(1) == 2);
  CHECK(heard >= 1);
}
