// monitor = N: what is told, when, and what runs instead. Variants return their metric: that is the
// clock of these tests.
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::detail::cumulative_sums;
using fettle::detail::known_inputs;

namespace {

struct reporting {
  static constexpr std::string_view name = "f";
  static constexpr unsigned monitor = 4;
};
struct moving_on : reporting {
  static constexpr auto on_unexpected = fettle::unexpected_cost::next_best;
};
struct giving_up : reporting {
  static constexpr auto on_unexpected = fettle::unexpected_cost::use_default;
};
struct timing {
  static constexpr std::string_view name = "f";
  static constexpr unsigned monitor = 1;
  static constexpr auto metric = fettle::metric_source::elapsed;
};

/// The logarithm of each variant's metric is x / 50 - 1 give or take 0.1, where nothing is amiss.
double expected_at(double x) { return std::exp(x / 50 - 1); }

/// A function with a model that has `high` above 10 and `low` below; `middle` is second everywhere.
template <typename Policy>
struct watched {
  test::scratch folder;
  std::vector<std::string> told;
  fettle::context cx{options()};
  fettle::code_variant<Policy, std::tuple<double>> f{cx};
  double slowdown = 1;  // of `high`
  std::mt19937_64 random{11};

  explicit watched(const std::vector<std::string>& lines = {"expect low 0.1 0 1",
                                                            "expect high 0.1 0 1"}) {
    test::split_model model;
    model.variants = {"low", "middle", "high"};
    model.below = {0.0, 0.5, 1.0};
    model.above = {1.0, 0.5, 0.0};
    model.further = lines;
    test::write_model(folder.path(), model);
    f.add_variant("low", [this](double x) { return expected_at(x) * noise(); });
    f.add_variant("middle", [this](double x) { return expected_at(x) * noise(); });
    f.add_variant("high", [this](double x) { return slowdown * expected_at(x) * noise(); });
    f.add_input_feature("x", [](double x) { return x; });
  }

  fettle::context_options options() {
    fettle::context_options made;
    made.model_directory = folder.path();
    made.on_warning = [this](std::string_view text) { told.emplace_back(text); };
    return made;
  }

  double noise() { return std::exp(0.1 * std::normal_distribution<double>()(random)); }

  void call(int times) {
    std::uniform_real_distribution<double> inputs(20, 100);
    for (int i = 0; i < times; ++i) f(inputs(random));
  }
};

}  // namespace

TEST_CASE("cumulative sums stay silent without a shift, and are quick with one") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  cumulative_sums sums;
  for (int i = 0; i < 20000; ++i) REQUIRE(sums.add(normal(random)) == 0);
  int needed = 1;
  while (sums.add(2 + normal(random)) == 0) ++needed;
  CHECK(needed < 16);
  CHECK(sums.add(0) == 0);  // it begins anew
  while (sums.add(-2) == 0) ++needed;
  sums.restart();
  CHECK(sums.add(1e9) == 0);  // one odd input is no shift
  CHECK(sums.add(std::numeric_limits<double>::infinity()) == 0);
}

TEST_CASE("calls on a known input are compared with the first ones on it") {
  known_inputs inputs;
  const double x[] = {1.0, 2.0};
  const double y[] = {2.0, 1.0};
  CHECK(inputs.counted(x, 0, 3.0) == 3.0);
  CHECK(inputs.counted(y, 0, 1.0) == 1.0);
  CHECK(inputs.counted(x, 1, 5.0) == 5.0);  // another variant
  for (int i = 0; i < 3; ++i) CHECK(!inputs.counted(x, 0, 3.0));
  CHECK(inputs.counted(x, 0, 3.0) == 0.0);
  CHECK(inputs.counted(x, 0, 4.5) == 1.5);
}

TEST_CASE("a variant that costs what its model expects is not mentioned") {
  watched<reporting> it;
  it.call(20000);
  CHECK(it.told.empty());
}

TEST_CASE("a variant that has become slower is named, with by how much") {
  watched<reporting> it;
  it.call(400);
  it.slowdown = 2;
  it.call(200);
  REQUIRE(it.told.size() >= 1);
  INFO(it.told[0]);
  CHECK(it.told[0].starts_with("f: high costs "));
  CHECK(it.told[0].find(" times what the model expects, on average over ") != std::string::npos);
  CHECK(it.told[0].ends_with("run the tuning script again"));
  CHECK(it.f.last_selection()->variant == "high");  // it is only told
}

TEST_CASE("one that has become faster is told, too") {
  watched<moving_on> it;
  it.slowdown = 0.4;
  it.call(200);
  REQUIRE(it.told.size() == 1);
  CHECK(it.f.last_selection()->variant == "high");
}

TEST_CASE("where the policy says so, the next best variant or the default runs instead") {
  watched<moving_on> next;
  next.slowdown = 3;
  next.call(200);
  CHECK(next.f.last_selection()->variant == "middle");
  CHECK(next.f.last_selection()->reason == fettle::selection_reason::unexpected_cost);
  CHECK(next.told[0].find("; the next best variant runs in its place.") != std::string::npos);
  next.f(5.0);
  CHECK(next.f.last_selection()->variant == "low");  // as ever

  watched<giving_up> given_up;
  given_up.slowdown = 3;
  given_up.call(200);
  CHECK(given_up.f.last_selection()->variant == "low");
  CHECK(given_up.told[0].find("; the default variant runs in its place.") != std::string::npos);
}

TEST_CASE("that the model is off on the one input of a program is no change") {
  watched<reporting> it;
  it.slowdown = 2;  // from the beginning, and on one input: the model may be wrong there
  for (int i = 0; i < 2000; ++i) it.f(50.0);
  CHECK(it.told.empty());
  it.slowdown = 6;
  for (int i = 0; i < 200; ++i) it.f(50.0);
  CHECK(it.told.size() >= 1);
}

TEST_CASE("a model that does not say what to expect is told once") {
  watched<reporting> it(std::vector<std::string>{});
  it.call(100);
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].find("the model does not say what to expect; set monitor in the tuning") !=
        std::string::npos);
}

TEST_CASE("calls that return nothing, or are timed by Fettle, are monitored by the clock") {
  const test::scratch folder;
  test::split_model model;
  model.further = {"expect low 0.5 -40 0", "expect high 0.5 -40 0"};  // no call is that fast
  test::write_model(folder.path(), model);
  std::vector<std::string> told;
  fettle::context_options options;
  options.model_directory = folder.path();
  options.on_warning = [&](std::string_view text) { told.emplace_back(text); };
  fettle::context cx(options);
  fettle::code_variant<timing, void(double)> f(cx);
  int calls = 0;
  f.add_variant("low", [&](double) { ++calls; });
  f.add_variant("high", [&](double) { ++calls; });
  f.add_input_feature("x", [](double x) { return x; });
  for (int i = 0; i < 20; ++i) f(20.0 + i);
  CHECK(calls == 20);
  REQUIRE(told.size() >= 1);
  CHECK(told[0].starts_with("f: high costs "));
}

TEST_CASE("bound calls are monitored, and go over to what the policy says") {
  watched<moving_on> it;
  auto bound = it.f.bind(50.0);
  CHECK(bound.selection().variant == "high");
  it.slowdown = 2;  // the model may be wrong on this input
  for (int i = 0; i < 1000; ++i) bound();
  CHECK(it.told.empty());
  it.slowdown = 12;
  for (int i = 0; i < 400; ++i) bound();
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].find("; the next best variant runs in its place.") != std::string::npos);
  CHECK(bound.selection().variant == "middle");
  CHECK(it.f.bind(5.0).selection().variant == "low");

  watched<reporting> told;
  auto other = told.f.bind(50.0);
  for (int i = 0; i < 100; ++i) other();
  told.slowdown = 12;
  for (int i = 0; i < 400; ++i) other();
  CHECK(told.told.size() >= 1);
  CHECK(other.selection().variant == "high");

  watched<reporting> failing;
  failing.f.add_input_feature("y", [](double) -> double { throw 1; });
  CHECK(failing.f.bind(50.0)() > 0);  // without the model's features nothing is compared
}

TEST_CASE("one call in N is due") {
  fettle::detail::cost_monitor monitor;
  int due = 0;
  for (int i = 0; i < 1000; ++i) due += monitor.is_due(8) ? 1 : 0;
  CHECK(due == 125);
}
