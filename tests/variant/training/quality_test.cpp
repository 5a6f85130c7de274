// set_quality: the errors of approximate variants in training, what is refused, and what a running
// program checks.
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"
#include "support/train_in_child.hpp"

namespace {

using test::train;
using test::trained;
using vec = std::vector<double>;

/// Largest difference of two outputs.
struct difference {
  double operator()(std::span<const double> exact, std::span<const double> out) const {
    double most = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      most = std::fmax(most, std::fabs(exact[i] - out[i]));
    }
    return most;
  }
};

using in_place = void(std::span<double>, double);
void exact_in_place(std::span<double> x, double) {
  for (double& one : x) one *= 2;
}
void approximate_in_place(std::span<double> x, double by) {
  for (double& one : x) one = 2 * one + by;
}

template <std::size_t Every>
struct checked {
  static constexpr std::string_view name = "f";
  static constexpr unsigned check_every = Every;
};

/// A function whose model admits `approximate` where ln(0.1) + x / 50 - 1 <= 0, x in [0, 100], and
/// prefers it everywhere; its results are wrong by `error`.
template <typename Policy>
struct deployed {
  test::scratch folder;
  std::vector<std::string> told;
  fettle::context cx{options()};
  fettle::code_variant<Policy, double(double)> f{cx};
  std::atomic<double> error{0.0};

  explicit deployed(const std::vector<std::string>& lines = admitting(), double bound = 0.1) {
    test::split_model model;
    model.variants = {"exact", "approximate"};
    model.below = {1.0, 0.0};
    model.above = {1.0, 0.0};
    model.further = lines;
    test::write_model(folder.path(), model);
    f.add_variant("exact", [](double x) { return x; });
    f.add_variant("approximate", [this](double x) { return x + error; }, fettle::approximate);
    f.add_input_feature("x", [](double x) { return x; });
    if (bound >= 0) {
      f.set_quality([](double exact, double out) { return std::fabs(exact - out); }, bound);
    }
  }

  static std::vector<std::string> admitting() {
    return {"approximate approximate", "bound 0.1", "error_input linear x 0 100",
            "admit approximate -0.5 1"};
  }
  fettle::context_options options() {
    fettle::context_options made;
    made.model_directory = folder.path();
    made.on_warning = [this](std::string_view text) { told.emplace_back(text); };
    return made;
  }
  bool is_approximate(double x) { return f.select(x).variant == "approximate"; }
};

/// Whether an action throws a fettle::error that says so.
template <typename Action>
bool says(const Action& action, const std::string& part) {
  try {
    action();
  } catch (const fettle::error& problem) {
    return std::string(problem.what()).find(part) != std::string::npos;
  }
  return false;
}

std::string log_of(const trained& seen, const std::string& part) {
  for (const std::string& line : seen.log) {
    if (line.find(part) != std::string::npos) return line;
  }
  return "";
}

/// What training says of an approximate variant whose error is `error`.
template <typename Quality>
trained trained_with(Quality quality, double bound = 0.1) {
  return train("maximum_samples=3", [=] {
    fettle::context cx;
    fettle::code_variant<fettle::policy<"f">, int(int)> f(cx);
    f.add_variant("rough", [](int n) { return n + 1; }, fettle::approximate);
    f.add_variant("exact", [](int n) { return n; });
    f.set_quality(quality, bound);
    return f(3) == 3 ? 0 : 1;
  });
}

}  // namespace

TEST_CASE("training measures errors against the exact default, of data that change in place") {
  const trained seen = train("maximum_samples=3", [] {
    fettle::context cx;
    fettle::code_variant<fettle::policy<"f">, in_place> f(cx);
    f.add_variant("exact", exact_in_place);
    f.add_variant("rough", approximate_in_place, fettle::approximate);
    f.set_reset(fettle::restore_arguments{});
    f.set_quality(difference(), 0.5);
    vec x{1, 2, 3};
    f(x, 0.25);
    return x == vec{2, 4, 6} ? 0 : 1;
  });
  CHECK(seen.status == 0);
  REQUIRE(!seen.log.empty());
  CHECK(seen.log[0].starts_with(R"({"fettle_log":3,)"));
  CHECK(seen.log[0].find(R"("quality":{"approximate":["rough"],"bound":0.5})") !=
        std::string::npos);
  CHECK(log_of(seen, R"("variant":"rough","event":"sample")").find(R"("error":0.25)") !=
        std::string::npos);
  CHECK(log_of(seen, R"("variant":"exact","event":"sample")").find("error") == std::string::npos);
}

TEST_CASE("the first exact variant is the default; results are timed, not taken for a metric") {
  const trained seen =
      trained_with([](int exact, int out) { return std::fabs(exact - out) / 3.0; });
  CHECK(seen.status == 0);
  CHECK(seen.log[0].find(R"("default":"exact","unit":"s")") != std::string::npos);
  CHECK(log_of(seen, R"("variant":"rough","event":"sample")").find(R"("error":0.33)") !=
        std::string::npos);
}

TEST_CASE("a quality function that throws, or returns what is no error, is named") {
  const auto thrown = trained_with([](int, int) -> double { throw std::runtime_error("no norm"); });
  CHECK(log_of(thrown, "failed").find("the quality function of set_quality threw: no norm") !=
        std::string::npos);
  const auto negative = trained_with([](int, int) { return -1.0; });
  CHECK(log_of(negative, "failed").find("returned -1; an error is 0") != std::string::npos);
  const auto none = trained_with([](int, int) { return std::nan(""); });
  CHECK(log_of(none, "failed").find("returned nan; an error is 0") != std::string::npos);
  CHECK(none.status == 0);
}

TEST_CASE("a bound of 0 asks for the same bits") {
  const trained seen = train("maximum_samples=3", [] {
    fettle::context cx;
    fettle::code_variant<fettle::policy<"f">, double(int)> f(cx);
    f.add_variant("exact", [](int) { return 0.0; });
    f.add_variant("rough", [](int) { return -0.0; }, fettle::approximate);
    f.set_quality([](double exact, double out) { return std::fabs(exact - out); }, 0);
    return f(3) == 0 ? 0 : 1;
  });
  CHECK(log_of(seen, R"("variant":"rough","event":"sample")").find(R"("error":2.2)") !=
        std::string::npos);
  struct opaque {
    double value;
  };
  fettle::context cx;
  fettle::code_variant<fettle::policy<"f">, opaque(int)> f(cx);
  CHECK(says(
      [&] { f.set_quality([](const opaque& a, const opaque& b) { return a.value - b.value; }, 0); },
      "asks for outputs that are equal bit by bit"));
}

TEST_CASE("without set_quality approximate variants do not even run") {
  const trained seen = train("maximum_samples=3", [] {
    fettle::context cx;
    fettle::code_variant<fettle::policy<"f">, int(int)> f(cx);
    f.add_variant("exact", [](int n) { return n; });
    f.add_variant("rough", [](int) -> int { _exit(3); }, fettle::approximate);
    return f(3) == 3 ? 0 : 1;
  });
  CHECK(seen.status == 0);
  CHECK(
      log_of(seen, R"("variant":"rough","event":"excluded")").find("set_quality gives no bound") !=
      std::string::npos);
}

TEST_CASE("what is registered has to have an exact default and a bound that is one") {
  fettle::context cx;
  fettle::code_variant<fettle::policy<"f">, int(int)> none(cx);
  none.add_variant("rough", [](int n) { return n; }, fettle::approximate);
  CHECK(says([&] { none(1); }, "all variants are approximate (rough)"));
  fettle::code_variant<fettle::policy<"f">, int(int)> wrong(cx);
  wrong.add_variant("exact", [](int n) { return n; });
  wrong.add_variant("rough", [](int n) { return n; }, fettle::approximate);
  wrong.set_default("rough");
  CHECK(says([&] { wrong(1); }, "the default variant rough is approximate"));
  const auto error = [](int a, int b) { return std::fabs(a - b); };
  for (const double bound : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK(says([&] { wrong.set_quality(error, bound); }, "a bound is a finite number, 0 or more"));
  }
}

TEST_CASE("a model admits approximate variants by input; elsewhere the exact one runs") {
  deployed<checked<1000>> it;
  CHECK(it.is_approximate(20));
  CHECK(it.f.select(20).reason == fettle::selection_reason::model);
  CHECK(!it.is_approximate(80));
  CHECK(it.f.select(80).reason == fettle::selection_reason::error_bound);
  CHECK(!it.is_approximate(110));  // inside the region of choices, but not of errors
  it.error = 0.03;
  CHECK(it.f(20) == 20);  // the first call is checked: it gets the exact result
  CHECK(it.f(20) == 20 + 0.03);
  CHECK(it.f.bind(20)() == 20 + 0.03);
  it.f.fix_inputs(20);
  CHECK(it.f() == 20 + 0.03);
  CHECK(it.told.empty());
}

TEST_CASE("nothing approximate runs without a bound, or by a model of another one") {
  deployed<checked<1000>> unbounded(deployed<checked<1000>>::admitting(), -1);
  CHECK(!unbounded.is_approximate(20));
  deployed<checked<1000>> stricter(deployed<checked<1000>>::admitting(), 0.01);
  CHECK(!stricter.is_approximate(20));
  REQUIRE(stricter.told.size() == 1);
  CHECK(stricter.told[0].find("trained for errors of at most 0.1") != std::string::npos);
  deployed<checked<1000>> older({"parameters other size=1"});
  CHECK(!older.is_approximate(20));
  deployed<checked<1000>> without({"approximate approximate", "bound 0.1"});
  CHECK(!without.is_approximate(20));
}

TEST_CASE("checks on every call let no violation through") {
  deployed<checked<1>> it;
  for (int call = 0; call < 100; ++call) {
    it.error = call < 50 ? 0.01 : 0.2;
    CHECK(it.f(20) == 20);
  }
  CHECK(!it.is_approximate(20));
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].find("the bound is 0.1") != std::string::npos);
}

TEST_CASE("one check in ten ends a drift, and nothing is violated after the first one seen") {
  deployed<checked<10>> it;
  int since = 0;
  for (int call = 0; call < 200; ++call) {
    it.error = 0.001 * call;
    if (it.f(20) > 20.1) ++since;
    if (!it.told.empty()) it.error = 0;
  }
  CHECK(since <= 9);  // between two checks
  CHECK(!it.is_approximate(20));
  it.error = 5;
  for (int call = 0; call < 50; ++call) CHECK(it.f(20) == 20);
}

TEST_CASE("an error beyond what was predicted, within the bound, tightens the model") {
  deployed<checked<1>> it({"approximate approximate", "bound 0.1", "error_input linear x 0 100",
                           "admit approximate -1 1"});
  CHECK(it.is_approximate(90));
  it.error = 0.09;  // at x = 0: predicted at most exp(-2) of the bound
  it.f(0);
  CHECK(it.is_approximate(0));
  CHECK(!it.is_approximate(90));
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].find("exceeds what its model predicts") != std::string::npos);
}

TEST_CASE("a stream that never checks says so; a check that cannot be made ends approximation") {
  deployed<checked<0>> never;
  never.error = 7;
  CHECK(never.f(20) == 27);
  REQUIRE(never.told.size() == 1);
  CHECK(never.told[0].find("never checked, as check_every = 0 says") != std::string::npos);

  test::scratch folder;
  test::split_model model;
  model.variants = {"exact", "approximate"};
  model.below = model.above = {1.0, 0.0};
  model.further = deployed<checked<1>>::admitting();
  test::write_model(folder.path(), model);
  std::vector<std::string> told;
  fettle::context cx(
      {folder.path(), [&](std::string_view text) { told.emplace_back(text); }, false});
  const auto declare = [](auto& f) {
    f.add_variant("exact", [](double* x) { *x += 1; });
    f.add_variant("approximate", [](double* x) { *x += 1.01; }, fettle::approximate);
    f.add_input_feature("x", [](const double*) { return 20; });
    f.set_quality([](double exact, double out) { return std::fabs(exact - out); }, 0.1,
                  [](const double* x) { return *x; });
  };
  double x = 1;
  fettle::code_variant<fettle::policy<"f">, void(double*)> f(cx);
  declare(f);
  f.set_reset([](double*& it) { *it = 1; });
  f(&x);
  CHECK(x == 2);
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("give it to the constructor") != std::string::npos);
  fettle::code_variant<fettle::policy<"f">, std::tuple<double*>> g(cx,
                                                                   [](double*& it) { *it = 1; });
  declare(g);
  x = 1;
  g(&x);
  CHECK(x == 2);  // checked: the exact result
  x = 1;
  g(&x);
  CHECK(x == 2.01);
}

TEST_CASE("a quality function that fails in a check ends approximation") {
  test::scratch folder;
  test::split_model model;
  model.variants = {"exact", "approximate"};
  model.below = model.above = {1.0, 0.0};
  model.further = deployed<checked<1>>::admitting();
  test::write_model(folder.path(), model);
  for (const bool throws : {true, false}) {
    std::vector<std::string> told;
    fettle::context cx(
        {folder.path(), [&](std::string_view text) { told.emplace_back(text); }, false});
    fettle::code_variant<checked<1>, double(double)> f(cx);
    f.add_variant("exact", [](double x) { return x; });
    f.add_variant("approximate", [](double x) { return x; }, fettle::approximate);
    f.add_input_feature("x", [](double x) { return x; });
    f.set_quality(
        [throws](double, double) {
          if (throws) throw std::runtime_error("no norm");
          return -1.0;
        },
        0.1);
    CHECK(f(20) == 20);
    CHECK(f.select(20).variant == "exact");
    REQUIRE(told.size() == 1);
    CHECK(told[0].find(throws ? "threw: no norm" : "returned -1; an error is 0") !=
          std::string::npos);
  }
}

TEST_CASE("threads share the count of checks") {
  deployed<checked<4>> it;
  it.f.select(20);
  it.error = 0.05;
  std::atomic<int> exact{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int call = 0; call < 100; ++call) exact += it.f(20) == 20 ? 1 : 0;
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(exact == 100);
}
