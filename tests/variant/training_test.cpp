// Training in process: each case runs in a child process, since a process has one training request.
#include <csignal>
#include <limits>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/train_in_child.hpp"

using vec = std::vector<double>;

namespace {

using test::spin;
using test::train;
using test::trained;

/// A context whose warnings fail the child: there are none in training.
fettle::context& context() {
  static fettle::context cx({"", [](std::string_view) { _exit(97); }, false});
  return cx;
}

using function = fettle::code_variant<fettle::policy<"f">, std::tuple<vec&>>;

/// The number that follows `part` in a line.
double number_after(const std::string& line, const std::string& part) {
  const std::size_t place = line.find(part);
  if (place == std::string::npos) return std::numeric_limits<double>::quiet_NaN();
  return std::stod(line.substr(place + part.size()));
}

}  // namespace

TEST_CASE("one call measures every variant, then runs the default") {
  const trained seen = train("input=a%20b", [] {
    function f(context());
    f.add_variant("slow", [](vec& v) { spin(3e-3), v[0] = 1.0; });
    f.add_variant("quick", [](vec& v) { spin(1e-3), v[0] = 2.0; });
    f.add_input_feature("n", [](vec& v) { return v.size(); });
    vec v(3);
    f(v);
    return v[0] == 1.0 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  REQUIRE(seen.log.size() > 6);
  CHECK(seen.log[0].starts_with(
      R"({"fettle_log":1,"function":"f","variants":["slow","quick"],"features":["n"],)"
      R"("default":"slow","unit":"s","larger_is_better":false,"machine":{)"));
  CHECK(
      seen.log[1].starts_with(R"({"call":0,"input":"a b","features":{"n":3},"feature_ns":{"n":)"));
  CHECK(seen.log[2].starts_with(R"({"call":0,"variant":"slow","event":"start","limit_s":300)"));
  const std::string sample = R"({"call":0,"variant":"slow","event":"sample","metric":[)";
  CHECK(seen.log[3].starts_with(sample));
  CHECK(number_after(seen.log[3], sample) >= 3e-3);
  const std::string start = R"({"call":0,"variant":"quick","event":"start","limit_s":)";
  CHECK(seen.log[4].starts_with(start));
  CHECK(number_after(seen.log[4], start) >= 2.0);
  CHECK(number_after(seen.log[4], start) < 300.0);  // now that one variant's time is known
  CHECK(seen.log.back().starts_with(R"({"call":0,"event":"end","outcome":")"));
}

TEST_CASE("a variant's returned double is its metric") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("a", [](vec&) { return 42.5; });
    f.add_variant("b", [](vec&) { return 41.0; });
    vec v(1);
    return f(v) == 42.5 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("unit":"returned")"));
  CHECK(seen.has(R"("metric":[42.5])"));
  CHECK(seen.has(R"("best":"b")"));
}

namespace {
struct timed {
  static constexpr std::string_view name = "f";
  static constexpr auto metric = fettle::metric_source::elapsed;
};
struct growing {
  static constexpr std::string_view name = "f";
  static constexpr bool larger_is_better = true;
};
}  // namespace

TEST_CASE("the policy may ask for elapsed time, or for larger metrics") {
  const trained seen = train("", [] {
    fettle::code_variant<timed, std::tuple<vec&>> f(context());
    f.add_variant("a", [](vec&) { return spin(2e-3), 1e-9; });
    vec v(1);
    return f(v) == 1e-9 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("unit":"s")"));
  REQUIRE(seen.log.size() > 3);
  CHECK(number_after(seen.log[3], R"("event":"sample","metric":[)") >= 2e-3);
  const trained larger = train("", [] {
    fettle::code_variant<growing, std::tuple<vec&>> f(context());
    f.add_variant("a", [](vec&) { return 1.0; });
    f.add_variant("b", [](vec&) { return 2.0; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(larger.has(R"("best":"b")"));
  CHECK(larger.has(R"("larger_is_better":true)"));
}

TEST_CASE("constraints exclude, exceptions fail, and both are named") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("good", [](vec&) { return 1.0; });
    f.add_variant("illegal", [](vec&) -> double { _exit(1); });
    f.add_variant("odd", [](vec&) -> double { _exit(1); });
    f.add_variant("thrower", [](vec&) -> double { throw std::runtime_error("too hot"); });
    f.add_variant("infinite", [](vec&) { return std::numeric_limits<double>::infinity(); });
    f.add_constraint("illegal", [](vec&) { return false; });
    f.add_constraint("odd", [](vec&) -> bool { throw std::runtime_error("what"); });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(
      R"({"call":0,"variant":"illegal","event":"excluded","reason":"constraint failed"})"));
  CHECK(seen.has(R"("variant":"odd","event":"excluded","reason":"constraint threw: what")"));
  CHECK(seen.has(R"("variant":"thrower","event":"failed","reason":"exception: too hot")"));
  CHECK(seen.has(R"("variant":"infinite","event":"failed","reason":"its metric is not finite")"));
  CHECK(seen.has(R"("event":"end","outcome":"single","best":"good")"));
}

TEST_CASE("a wrong result is named and excluded; inputs are reset before each run") {
  const trained seen = train("", [] {
    function f(context());
    const auto add = [](double x) { return [x](vec& v) { v[0] += x; }; };
    f.add_variant("right", add(1.0));
    f.add_variant("also_right", [](vec& v) { v[0] += 1.0 + 1e-13; });
    f.add_variant("wrong", add(1.1));
    f.set_reset([](vec& v) { v[0] = 5.0; });
    f.set_verify([](vec& v) { return v; }, fettle::within{1e-9});
    vec v{100.0};
    f(v);
    return v[0] == 6.0 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(
      R"("variant":"wrong","event":"failed","reason":"wrong result: differs from that of right")"));
  CHECK(seen.has(R"("variant":"also_right","event":"sample")"));
  CHECK_FALSE(seen.has(R"("variant":"wrong","event":"sample")"));
}

TEST_CASE("verification may look at the function's result") {
  const trained seen = train("", [] {
    fettle::code_variant<fettle::policy<"f">, int(int)> f(context());
    f.add_variant("right", [](int x) { return x + 1; });
    f.add_variant("wrong", [](int x) { return x + 2; });
    f.set_verify([](const int& result, int) { return result; });
    return f(1) == 2 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"wrong","event":"failed","reason":"wrong result)"));
}

TEST_CASE("a crash leaves the culprit's name and everything measured before") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("good", [](vec&) { return 1.0; });
    f.add_variant("crash", [](vec&) -> double {
      std::raise(SIGKILL);
      return 0.0;
    });
    f.add_variant("other", [](vec&) { return 2.0; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(WIFSIGNALED(seen.status));
  CHECK(seen.has(R"("variant":"good","event":"sample")"));
  CHECK(seen.log.back().starts_with(R"({"call":0,"variant":"crash","event":"start")"));

  const trained resumed = train("skip=good,crash best_s=1e-3", [] {
    function f(context());
    f.add_variant("good", [](vec&) { return 1.0; });
    f.add_variant("crash", [](vec&) -> double { _exit(1); });
    f.add_variant("other", [](vec&) { return 2.0; });
    vec v(1);
    return f(v) == 1.0 ? 0 : 1;
  });
  CHECK(resumed.status == 0);
  CHECK(resumed.has(R"("variant":"other","event":"sample")"));
  CHECK_FALSE(resumed.has(R"("variant":"good","event":"sample")"));
}

TEST_CASE("variants that are left are verified after a restart too") {
  const trained seen = train("skip=right best_s=1e-3", [] {
    function f(context());
    f.add_variant("right", [](vec& v) { v[0] = 1.0; });
    f.add_variant("wrong", [](vec& v) { v[0] = 2.0; });
    f.set_verify([](vec& v) { return v; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.has(R"("variant":"wrong","event":"failed","reason":"wrong result)"));
  CHECK_FALSE(seen.has(R"("variant":"right","event":"sample")"));
}

TEST_CASE("calls with the same features are measured once, others each; first_call skips") {
  const auto program = [] {
    function f(context());
    f.add_variant("a", [](vec&) { return 1.0; });
    f.add_input_feature("n", [](vec& v) { return v.size(); });
    for (const std::size_t n : {1U, 2U, 1U, 2U, 3U}) {
      vec v(n);
      f(v);
    }
    return 0;
  };
  CHECK(train("", program).count(R"("event":"end")") == 3);
  CHECK(train("max_calls=2", program).count(R"("event":"end")") == 2);
  const trained later = train("first_call=4", program);
  CHECK(later.count(R"("event":"end")") == 1);
  CHECK(later.has(R"({"call":4,"event":"end")"));
}

TEST_CASE("features only: no variant is measured") {
  const trained seen = train("mode=features", [] {
    function f(context());
    int runs = 0;
    f.add_variant("a", [&](vec&) { ++runs; });
    f.add_variant("b", [](vec&) { _exit(1); });
    f.add_input_feature("n", [](vec& v) { return v.size(); });
    vec v(4);
    f(v);
    return runs == 1 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.log.size() == 2);
  CHECK(seen.has(R"("features":{"n":4})"));
}

TEST_CASE("a feature that throws is an error that names it") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("a", [](vec&) {});
    f.add_input_feature("n", [](vec&) -> double { throw std::runtime_error("no size"); });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(seen.log.back() == R"({"event":"error","reason":"feature n threw: no size"})");
}

TEST_CASE("move-only arguments need a reset that makes them anew") {
  using owner = std::unique_ptr<int>;
  const auto program = [](bool reset) {
    return [reset] {
      fettle::code_variant<fettle::policy<"f">, int(owner)> f(context());
      f.add_variant("a", [](owner p) { return *p; });
      f.add_variant("b", [](owner p) { return *p + 0; });
      if (reset) f.set_reset([](owner& p) { p = std::make_unique<int>(3); });
      return f(std::make_unique<int>(3)) == 3 ? 0 : 1;
    };
  };
  const trained without = train("", program(false));
  CHECK(without.status == 0);
  CHECK(without.log.back().find("move-only") != std::string::npos);
  const trained with = train("", program(true));
  CHECK(with.status == 0);
  CHECK(with.has(R"("variant":"b","event":"sample")"));
}

TEST_CASE("recursive variants and other threads run the default meanwhile") {
  const trained seen = train("", [] {
    fettle::code_variant<fettle::policy<"f">, int(int)> f(context());
    f.add_variant("plain", [](int n) { return n; });
    f.add_variant("recursive", [&](int n) -> int { return n == 0 ? 0 : 1 + f(n - 1); });
    f.add_variant("threaded", [&](int n) -> int {
      int result = 0;
      std::thread([&] { result = f(n); }).join();
      return result;
    });
    return f(3) == 3 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("event":"end")") == 1);
  CHECK_FALSE(seen.has("failed"));
}

TEST_CASE("inputs of calls that are not measured are not reset") {
  const trained seen = train("max_calls=1", [] {
    function f(context());
    f.add_variant("halve", [&](vec& v) {
      v.resize(v.size() / 2);
      if (v.size() > 1) f(v);  // a call within a call
    });
    f.set_reset([](vec& v) { v.assign(8, 1.0); });
    vec v(8);
    f(v);
    vec other(4);
    f(other);
    return v.size() == 1 && other.size() == 1 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("event":"end")") == 1);
}

TEST_CASE("a bound call is measured as any other; fixed inputs too") {
  const trained bound = train("", [] {
    fettle::code_variant<fettle::policy<"f">, int(int)> f(context());
    f.add_variant("a", [](int n) { return n; });
    f.add_variant("b", [](int n) { return n; });
    auto call = f.bind(4);
    return call() == 4 && call() == 4 ? 0 : 1;
  });
  CHECK(bound.status == 0);
  CHECK(bound.has(R"("variant":"b","event":"sample")"));
  const trained fixed = train("", [] {
    fettle::code_variant<fettle::policy<"f">, int(int)> f(context());
    f.add_variant("a", [](int n) { return n; });
    f.add_variant("b", [](int n) { return n; });
    f.fix_inputs(5);
    return f() == 5 ? 0 : 1;
  });
  CHECK(fixed.status == 0);
  CHECK(fixed.has(R"("variant":"b","event":"sample")"));
}

TEST_CASE("other functions of the program select as deployed while one is trained") {
  const trained seen = train("", [] {
    fettle::context cx({"/nonexistent", [](std::string_view) {}, false});
    fettle::code_variant<fettle::policy<"g">, int(int)> g(cx);
    g.add_variant("a", [](int n) { return n; });
    g.add_variant("b", [](int) -> int { _exit(1); });
    return g(1) == 1 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.log.empty());
}

TEST_CASE("a full disk and a malformed request are errors, not silence") {
  const auto program = [] {
    function f(context());
    f.add_variant("a", [](vec&) {});
    vec v(1);
    f(v);
    return 0;
  };
  CHECK(WEXITSTATUS(train("", program, {.log = "/dev/full"}).status) == 98);
  CHECK(WEXITSTATUS(train("budget_s=soon", program).status) == 98);
  CHECK(WEXITSTATUS(train("surprise", program).status) == 98);
  CHECK(WEXITSTATUS(train("", program, {.log = "/nowhere/log"}).status) == 98);
}

TEST_CASE("a training log that cannot be written says which, why and what to do") {
  const auto message = [](const std::string& path) -> std::string {
    try {
      fettle::detail::training_log log(path);
      log.measured(0, "a");
    } catch (const fettle::error& problem) {
      return problem.what();
    }
    return {};
  };
  CHECK(message("/nowhere/log") ==
        "cannot open the training log '/nowhere/log': No such file or directory; "
        "FETTLE_TRAINING_LOG has to name a file in a folder that can be written; run the program "
        "through the tuning script, which sets it");
  CHECK(message("/dev/full") ==
        "cannot write the training log '/dev/full': No space left on device; make room there; "
        "what it holds already stays valid");
}
