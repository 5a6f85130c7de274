// Training in process: each case runs in a child process, since a process has one training request.
#include <algorithm>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/training/training.hpp>
#include <fettle/variant/training/training_log.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"
#include "support/scratch.hpp"
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

/// As a generated header states the options.
struct generated {
  static constexpr std::string_view name = "f";
  static constexpr bool constraints = false;
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  static constexpr auto outside_region = fettle::outside_region::predict;
  static constexpr auto metric = fettle::metric_source::elapsed;
  static constexpr bool larger_is_better = true;
  static constexpr bool strict = true;
  static constexpr std::string_view model_directory = "/models";
};

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
  const std::string start = R"({"call":0,"variant":"quick","event":"start","limit_s":)";
  CHECK(seen.log[3].starts_with(start));  // both are warm before the first sample
  CHECK(number_after(seen.log[3], start) >= 2.0);
  CHECK(number_after(seen.log[3], start) < 300.0);  // now that one variant's time is known
  CHECK(seen.log[4].starts_with(R"({"call":0,"variant":"slow","event":"start","limit_s":)"));
  const std::string sample = R"({"call":0,"variant":"slow","event":"sample","metric":[)";
  CHECK(seen.log[5].starts_with(sample));
  CHECK(number_after(seen.log[5], sample) >= 3e-3);
  CHECK(seen.log.back().starts_with(R"({"call":0,"event":"end","outcome":")"));
}

TEST_CASE("the log's header has the options that the program was compiled with") {
  const trained plain = train("", [] {
    function f(context());
    f.add_variant("a", [](vec&) {});
    vec v;
    f(v);
    return 0;
  });
  REQUIRE(!plain.log.empty());
  CHECK(plain.log[0].find(R"("policy":{"constraints":true,"parallel_feature_evaluation":false,)"
                          R"("parallel_constraint_evaluation":false,"async_feature_eval":false,)"
                          R"("on_constraint_failure":"default","on_infinite_metric":"return",)"
                          R"("outside_region":"default","metric":"returned",)"
                          R"("larger_is_better":false,"strict":false,"header":false})") !=
        std::string::npos);
  const trained other = train("", [] {
    fettle::code_variant<generated, std::tuple<vec&>> f(context());
    f.add_variant("a", [](vec&) {});
    vec v;
    f(v);
    return 0;
  });
  REQUIRE(!other.log.empty());
  CHECK(other.log[0].find(R"("on_constraint_failure":"next_best","on_infinite_metric":"return",)"
                          R"("outside_region":"predict","metric":"elapsed",)"
                          R"("larger_is_better":true,"strict":true,"header":true})") !=
        std::string::npos);
  CHECK(other.log[0].find(R"("policy":{"constraints":false)") != std::string::npos);
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
  CHECK(seen.has(R"("metric":[42.5)"));
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
  REQUIRE(seen.log.size() > 4);
  CHECK(number_after(seen.log[4], R"("event":"sample","metric":[)") >= 2e-3);
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
    f.add_variant("nan", [](vec&) { return std::numeric_limits<double>::quiet_NaN(); });
    f.add_variant("free", [](vec&) { return -std::numeric_limits<double>::infinity(); });
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
  CHECK(seen.has(
      R"("variant":"nan","event":"failed","reason":"its metric is nan, which is not a cost")"));
  CHECK(seen.has(
      R"("variant":"free","event":"failed","reason":"its metric is -inf, which is not a cost")"));
  CHECK(seen.has(R"("event":"end","outcome":"single","best":"good")"));
}

TEST_CASE("an infinite metric is a cost, measured once and not verified, that bears on no limit") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("converges", [](vec& v) { return v[0] = 1.0, 4.0; });
    f.add_variant("diverges", [](vec& v) {
      return v[0] = -1.0, spin(1e-3), std::numeric_limits<double>::infinity();
    });
    f.add_variant("slow", [](vec& v) { return v[0] = 1.0, spin(0.2), 8.0; });
    f.set_verify([](vec& v) { return v[0]; });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(seen.status == 0);
  const std::string sample = R"({"call":0,"variant":"diverges","event":"sample","metric":["inf"],)";
  const auto samples =
      std::count_if(seen.log.begin(), seen.log.end(),
                    [&](const std::string& line) { return line.starts_with(sample); });
  CHECK(samples == 1);
  for (const std::string& line : seen.log) {
    if (line.starts_with(sample)) CHECK(number_after(line, R"("lost_s":)") >= 1e-3);
    CHECK_FALSE((!line.starts_with(sample) && line.find("lost_s") != std::string::npos));
  }
  CHECK_FALSE(seen.has(R"("event":"failed")"));
  CHECK(seen.has(R"("variant":"slow","event":"sample","metric":[8)"));
  CHECK(seen.has(R"("best":"converges")"));

  // Zero is what is infinitely dear where larger is better.
  const trained larger = train("", [] {
    fettle::code_variant<growing, std::tuple<vec&>> f(context());
    f.add_variant("none", [](vec&) { return 0.0; });
    f.add_variant("least", [](vec&) { return -std::numeric_limits<double>::infinity(); });
    f.add_variant("some", [](vec&) { return 2.0; });
    f.add_variant("endless", [](vec&) { return std::numeric_limits<double>::infinity(); });
    vec v(1);
    f(v);
    return 0;
  });
  CHECK(larger.has(R"("variant":"none","event":"sample","metric":[0],"lost_s":)"));
  CHECK(larger.has(R"("variant":"least","event":"sample","metric":["-inf"],"lost_s":)"));
  CHECK(larger.has(R"("variant":"endless","event":"failed","reason":"its metric is inf,)"));
  CHECK(larger.has(R"("best":"some")"));
}

TEST_CASE("where the default comes to nothing there is nothing to compare with") {
  const trained seen = train("", [] {
    function f(context());
    f.add_variant("diverges", [](vec& v) {
      return v[0] > 1.0 ? std::numeric_limits<double>::infinity() : (v[0] = 3.0);
    });
    f.add_variant("right", [](vec& v) { return v[0] = v[0] > 1.0 ? 4.0 : 3.0; });
    f.add_input_feature("x", [](vec& v) { return v[0]; });
    double start = 0.0;
    f.set_reset([&start](vec& v) { v[0] = start; });
    f.set_verify([](vec& v) { return v[0]; });
    for (; start < 3.0; start += 2.0) {
      vec v{start};
      f(v);
    }
    return 0;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"({"call":1,"variant":"diverges","event":"sample","metric":["inf"])"));
  CHECK(seen.has(R"({"call":1,"variant":"right","event":"sample")"));
  CHECK_FALSE(seen.has(R"("event":"failed")"));
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

TEST_CASE("a variant's first sample says whether its output is the default's bit by bit") {
  const auto program = [](auto verify) {
    return [verify] {
      function f(context());
      f.add_variant("right", [](vec& v) { v[0] = 0.0; });
      f.add_variant("same", [](vec& v) { v[0] = 0.0; });
      f.add_variant("other", [](vec& v) { v[0] = -0.0; });
      verify(f);
      vec v(1);
      f(v);
      return 0;
    };
  };
  const trained seen = train("", program([](function& f) {
                               f.set_verify([](vec& v) { return v; }, fettle::within{1e-9});
                             }));
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("bitwise":)") == 2);  // of first runs only, and not of the default
  for (const std::string& line : seen.log) {
    const bool same = line.find(R"("variant":"same")") != std::string::npos;
    if (line.find(R"("bitwise":)") == std::string::npos) continue;
    CHECK(line.ends_with(same ? R"(],"bitwise":true})" : R"(],"bitwise":false})"));
  }
  struct opaque {};
  const trained uncompared =
      train("", program([](function& f) {
              f.set_verify([](vec&) { return opaque{}; },
                           [](const opaque&, const opaque&) { return true; });
            }));
  CHECK(uncompared.has(R"("variant":"other","event":"sample")"));
  CHECK_FALSE(uncompared.has(R"("bitwise":)"));
}

TEST_CASE("runs too short for a clock make a sample together, also where each has a reset") {
  const trained seen = train("maximum_samples=3", [] {
    function f(context());
    static int runs = 0;
    const auto variant = [](vec& v) {
      ++runs;
      if (v[0] != 5.0) _exit(98);
      v[0] = 6.0;
    };
    f.add_variant("one", variant);
    f.add_variant("other", variant);
    f.set_reset([](vec& v) { v[0] = 5.0; });
    vec v{5.0};
    f(v);
    return runs > 200 ? 0 : 1;
  });
  CHECK(seen.status == 0);
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

TEST_CASE("a crash leaves the culprit's name") {
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
  CHECK(seen.has(R"("variant":"good","event":"start")"));
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

TEST_CASE("who runs first in a cold process is measured as warm as the others") {
  const std::vector<double> cold{18.0e-6, 15.6e-6, 11.5e-6, 9.6e-6, 9.5e-6, 7.9e-6};
  const std::vector<std::string> variants{"first", "second"};
  std::size_t runs = 0;
  fettle::detail::trainee function;
  function.variants = variants;
  function.constraints_hold = [](std::size_t) { return true; };
  function.run = [&](std::size_t, std::size_t) {
    const double seconds = cold[std::min(runs++, cold.size() - 1)];
    return fettle::detail::training_run{seconds, seconds};
  };
  const test::scratch folder;
  const std::string log = folder / "log.jsonl";
  const auto request =
      fettle::detail::parse_training_request(log, "function=f race=0 maximum_samples=9");
  REQUIRE(fettle::detail::training_session(request).measure(function));
  trained seen;
  seen.log = test::lines_of(log);
  CHECK(seen.count(R"("event":"sample","metric":[)") == 6);
  CHECK(seen.count(R"("event":"sample","metric":[7.9e-06,7.9e-06,7.9e-06])") == 6);
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

TEST_CASE("a feature that throws costs its call and names itself") {
  const trained seen = train("", [] {
    function f(context());
    int runs = 0;
    f.add_variant("a", [&](vec&) { ++runs; });
    f.add_input_feature("size", [](vec& v) { return v.size(); });
    f.add_input_feature("n", [](vec& v) -> double {
      if (v.size() == 1) throw std::runtime_error("caf\xe9");
      if (v.size() == 2) throw 3;
      return 5.0;
    });
    for (const std::size_t size : {1u, 2u}) {
      vec v(size);
      f(v);
    }
    const int untrained = runs;
    vec v(3);
    f(v);
    return untrained == 2 && runs > 3 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.log[1].starts_with(
      R"({"call":0,"input":"","features":{"size":1,"n":"nan"},"feature_ns":{"size":)"));
  CHECK(seen.log[1].ends_with(R"(,"n":0},"feature_problems":{"n":"threw: caf\udce9"}})"));
  CHECK(seen.log[2].ends_with(
      R"("n":"threw an exception of a type not derived from std::exception"}})"));
  CHECK(seen.log[3].starts_with(R"({"call":2,"input":"","features":{"size":3,"n":5})"));
  CHECK(seen.log[3].find("feature_problems") == std::string::npos);
  CHECK(seen.log.back().starts_with(R"({"call":2,"event":"end")"));
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

namespace {

/// Compares f by a model that takes "low" up to 10 and "high" above, and others as `request` says.
trained compare(const test::split_model& candidate, const std::string& request,
                const std::function<int()>& program) {
  const test::scratch folder;
  test::write_model(folder.path(), candidate);
  return train("mode=compare race=0 candidate=" + folder / "f " + request, program);
}

/// Calls f(x) for x of 30, where the model's choice is "high".
int call_at_30(
    const std::function<void(fettle::code_variant<fettle::policy<"f">, std::tuple<double, vec&>>&)>&
        add) {
  fettle::code_variant<fettle::policy<"f">, std::tuple<double, vec&>> f(context());
  add(f);
  f.add_input_feature("x", [](double x, vec&) { return x; });
  vec v(1);
  f(30.0, v);
  return v[0] == 1.0 ? 0 : 1;  // afterwards the default has run
}

int low_or_high() {
  return call_at_30([](auto& f) {
    f.add_variant("low", [](double, vec& v) { return v[0] = 1.0, 5.0; });
    f.add_variant("high", [](double, vec& v) { return v[0] = 2.0, 2.0; });
  });
}

}  // namespace

TEST_CASE("a comparison runs the whole function, untuned and by models, in balanced order") {
  const test::scratch deployed;
  test::write_model(deployed.path(), {.threshold = 50.0});
  const trained seen = compare({}, "maximum_samples=18 deployed=" + deployed / "f", low_or_high);
  CHECK(seen.status == 0);
  REQUIRE_FALSE(seen.log.empty());
  CHECK(seen.log[0].find(R"("variants":["default","deployed","candidate"],"features":["x"],)"
                         R"("default":"default","unit":"returned")") != std::string::npos);
  CHECK(seen.count(R"("variant":"default","event":"sample","metric":[5,5,5])") == 6);
  CHECK(seen.count(R"("variant":"deployed","event":"sample","metric":[5,5,5])") == 6);
  CHECK(seen.count(R"("variant":"candidate","event":"sample","metric":[2,2,2])") == 6);
  CHECK(seen.has(R"("event":"end","outcome":"budget","best":"candidate")"));
  std::vector<std::string> order;
  for (const std::string& line : seen.log) {
    if (line.find(R"("event":"sample")") != std::string::npos) {
      order.push_back(line.substr(line.find(R"("variant":")") + 11, 3));
    }
  }
  std::map<std::string, int> follows;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (i % 3 != 0) ++follows[order[i - 1] + order[i]];
  }
  CHECK(follows.size() == 6);
  for (const auto& [pair, count] : follows) {
    INFO(pair);
    CHECK(count == 2);
  }
}

TEST_CASE("a comparison heeds constraints, and takes the default where they fail") {
  const trained seen = compare({}, "", [] {
    return call_at_30([](auto& f) {
      f.add_variant("low", [](double, vec& v) { return v[0] = 1.0, 5.0; });
      f.add_variant("high", [](double, vec&) -> double { _exit(1); });
      f.add_constraint("high", [](double x, vec&) { return x < 20.0; });
    });
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"candidate","event":"sample","metric":[5)"));
}

TEST_CASE("a model whose choice is wrong, throws or crashes is named in the comparison") {
  const auto with = [](const std::function<double(double, vec&)>& high) {
    return [high] {
      return call_at_30([high](auto& f) {
        f.add_variant("low", [](double, vec& v) { return v[0] = 1.0, 5.0; });
        f.add_variant("high", high);
        f.set_verify([](double, const vec& v) { return v; });
      });
    };
  };
  const trained wrong = compare({}, "", with([](double, vec& v) { return v[0] = 2.0; }));
  CHECK(wrong.has(R"("variant":"candidate","event":"failed","reason":"wrong result: differs )"
                  R"(from that of default"})"));
  CHECK(wrong.has(R"("variant":"default","event":"sample")"));
  const trained threw =
      compare({}, "", with([](double, vec&) -> double { throw std::runtime_error("no"); }));
  CHECK(threw.has(R"("variant":"candidate","event":"failed","reason":"exception: no"})"));
  const trained died = compare({}, "", with([](double, vec&) -> double {
                                 std::raise(SIGKILL);
                                 return 0;
                               }));
  CHECK(WIFSIGNALED(died.status));
  CHECK(died.log.back().starts_with(R"({"call":0,"variant":"candidate","event":"start")"));
}

TEST_CASE("a model of other variants cannot be compared, one of some of them can") {
  const trained other = compare({.variants = {"low", "new"}}, "", low_or_high);
  CHECK(other.has(R"("variant":"candidate","event":"failed","reason":"exception: the model was )"
                  R"(trained for other variants)"));
  CHECK(other.has(R"("variant":"default","event":"sample")"));
  const trained some =
      compare({.variants = {"high"}, .below = {0.0}, .above = {0.0}}, "", low_or_high);
  CHECK(some.has(R"("variant":"candidate","event":"sample","metric":[2)"));
}

namespace {

struct solving : fettle::policy<"f"> {
  static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
};

}  // namespace

TEST_CASE("a compared call runs the next best variant after an infinite metric, as a user's does") {
  const trained seen = compare({}, "maximum_samples=3", [] {
    fettle::code_variant<solving, std::tuple<double, vec&>> f(context(),
                                                              [](double, vec& v) { v[0] = 0.0; });
    f.add_variant("low", [](double, vec& v) { return v[0] += 1.0, 5.0; });
    f.add_variant("high", [](double, vec& v) {
      return v[0] += 9.0, std::numeric_limits<double>::infinity();
    });
    f.add_input_feature("x", [](double x, vec&) { return x; });
    f.set_verify([](double, const vec& v) { return v; });
    vec v(1);
    f(30.0, v);
    return v[0] == 1.0 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"candidate","event":"sample","metric":[5,5,5])"));
}

TEST_CASE("a comparison charges the selection to a returned time, where it is asked to") {
  const trained seen = compare({}, "charge=1 maximum_samples=1", low_or_high);
  const std::string sample = R"("variant":"candidate","event":"sample","metric":[)";
  REQUIRE(seen.has(sample));
  for (const std::string& line : seen.log) {
    if (line.find(sample) != std::string::npos) CHECK(number_after(line, sample) > 2.0);
  }
}

TEST_CASE("calls within a compared call are made as it is; inputs are reset in between") {
  const trained seen = compare({.threshold = 2.0}, "maximum_samples=3 indifference=0", [] {
    fettle::code_variant<fettle::policy<"f">, double(double, int&)> f(context());
    f.add_variant("low", [&](double x, int& left) -> double {
      return left-- > 0 ? 10.0 + f(x, left) : 10.0;
    });
    f.add_variant(
        "high", [&](double x, int& left) -> double { return left-- > 0 ? 1.0 + f(x, left) : 1.0; });
    f.add_input_feature("x", [](double x, int&) { return x; });
    f.set_reset([](double&, int& left) { left = 2; });
    int left = 2;
    return f(30.0, left) == 30.0 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(seen.has(R"("variant":"default","event":"sample","metric":[30,30,30])"));
  CHECK(seen.has(R"("variant":"candidate","event":"sample","metric":[3,3,3])"));
}
