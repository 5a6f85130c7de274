// Parameters searched by the running program: the strategies, the searches of a function, the
// cache.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::constraint;
using fettle::online_search;
using fettle::online_strategy;
using fettle::parameter;
using fettle::parameters;
using fettle::detail::parameter_space;
using fettle::detail::parameter_values;
using fettle::detail::point_search;

namespace {

/// Best at tile 16, unroll 2: 1.
double cost_of(std::int64_t tile, std::int64_t unroll, double best_tile = 16.0) {
  return 1.0 + std::fabs(std::log2(static_cast<double>(tile) / best_tile)) +
         0.5 * std::fabs(std::log2(static_cast<double>(unroll)) - 1.0);
}

const parameter_space space(parameter{"tile", {64, 1, 2, 4, 8, 16, 32}, 1},
                            parameter{"unroll", {1, 2, 4, 8}}, constraint{"tile * unroll <= 128"});

/// Runs a search to its end; the points in the order in which they were asked for.
std::vector<parameter_values> run(point_search& search) {
  std::vector<parameter_values> asked;
  while (auto point = search.ask()) {
    asked.push_back(*point);
    search.tell(*point, cost_of((*point)[0], (*point)[1]));
  }
  CHECK(search.is_finished());
  return asked;
}

using function = fettle::code_variant<fettle::policy<"f">, std::tuple<double>>;

/// Calls with x have their best tile at x; counts calls at each tile.
struct product {
  explicit product(fettle::context& cx) : f(cx) {
    f.add_variant(
        "tiled",
        [this](double x, const parameters& p) {
          ++calls;
          return cost_of(p["tile"], p["unroll"], x);
        },
        parameter{"tile", {1, 2, 4, 8, 16, 32, 64}}, parameter{"unroll", {1, 2, 4, 8}},
        constraint{"tile * unroll <= 128"});
    f.add_variant("plain", [](double) { return 50.0; });
    f.add_input_feature("x", [](double x) { return x; });
  }
  std::atomic<int> calls{0};
  function f;
};

/// A context that keeps its warnings, but that of a missing model.
struct listener {
  listener()
      : cx({"nowhere",
            [this](std::string_view text) {
              if (text.find("no model") == std::string_view::npos) warnings.emplace_back(text);
            },
            false}) {}
  std::vector<std::string> warnings;
  fettle::context cx;
};

}  // namespace

TEST_CASE("searches begin with the defaults, ask for valid points, and then for the best again") {
  for (const online_strategy strategy : {online_strategy::greedy, online_strategy::random}) {
    point_search search(space, {.measurements = 12, .strategy = strategy});
    const std::vector<parameter_values> asked = run(search);
    REQUIRE(asked.size() > 8);
    CHECK(asked.size() <= 12);
    CHECK(asked[0] == space.defaults());
    CHECK(asked[1] == space.defaults());  // the first call of all does not count
    CHECK(std::set<parameter_values>(asked.begin(), asked.begin() + 9).size() == 8);
    CHECK(std::set<parameter_values>(asked.begin(), asked.end()).size() == 8);
    for (const parameter_values& point : asked) CHECK(space.violated(point) == nullptr);
  }
}

TEST_CASE("a search ends when the space is used up") {
  for (const online_strategy strategy : {online_strategy::greedy, online_strategy::random}) {
    point_search search(space, {.measurements = 1000, .strategy = strategy});
    const std::vector<parameter_values> asked = run(search);
    CHECK(std::set<parameter_values>(asked.begin(), asked.end()).size() ==
          25);                  // three are refused
    CHECK(asked.size() == 29);  // three runs of the best show that there is no noise
    CHECK(search.best() == parameter_values{16, 2});
    CHECK(search.best_cost() == 1.0);
  }
}

TEST_CASE("the first call of all, which is cold, is not held against the defaults") {
  point_search search(space, {.measurements = 20});
  std::size_t runs = 0;
  while (const auto point = search.ask()) {
    const double cost = *point == space.defaults() ? 0.5 : cost_of((*point)[0], (*point)[1]);
    search.tell(*point, ++runs == 1 ? 50.0 : cost);
  }
  CHECK(search.best() == space.defaults());
  CHECK(search.best_cost() == 0.5);
}

TEST_CASE("greedy search goes down to the best point") {
  point_search search(space, {.measurements = 30});
  run(search);
  CHECK(search.best() == parameter_values{16, 2});
}

TEST_CASE("the same seed asks for the same points") {
  const auto asked = [](std::uint64_t seed) {
    point_search search(space,
                        {.measurements = 22, .strategy = online_strategy::random, .seed = seed});
    return run(search);
  };
  CHECK(asked(1) == asked(1));
  CHECK(asked(1) != asked(2));
}

TEST_CASE("points that run at the same time are not waited for, nor run twice") {
  point_search search(space, {.measurements = 4, .strategy = online_strategy::random});
  const auto first = search.ask();
  const auto second = search.ask();
  const auto third = search.ask();
  REQUIRE((first && second && third));
  CHECK(*first != *second);
  CHECK_FALSE(search.ask());
  CHECK_FALSE(search.is_finished());
  search.tell(*second, 5.0);
  search.tell(*first, std::numeric_limits<double>::infinity());
  search.tell(*third, 7.0);
  CHECK_FALSE(search.is_finished());
  CHECK(search.ask() == second);
  search.tell(*second, 6.0);
  CHECK(search.is_finished());
  CHECK(search.best_cost() == 5.5);
  CHECK(search.best() == *second);
}

TEST_CASE("a point that was lucky once is not taken for the best") {
  // Costs with noise of about a tenth, of another best point for each seed.
  fettle::detail::dice random(1);
  const auto uniform = [&] { return static_cast<double>(random(1U << 20U)) / (1U << 20U); };
  double share = 0.0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const double best_tile = std::pow(2.0, static_cast<double>(seed % 7));
    const auto cost = [&](const parameter_values& point) {
      return 0.85 + 0.15 * cost_of(point[0], point[1], best_tile);
    };
    point_search search(space, {.measurements = 60, .seed = seed});
    std::size_t runs = 0;
    while (const auto point = search.ask()) {
      double noise = 0.0;  // nearly normal
      for (int k = 0; k < 12; ++k) noise += uniform() - 0.5;
      search.tell(*point, cost(*point) * std::exp(0.1 * noise));
      ++runs;
    }
    CHECK(runs <= 60);
    share += 0.01 / cost(search.best());
  }
  CHECK(share >= 0.97);
}

TEST_CASE("what fails when it runs again is not the best") {
  point_search search(space, {.measurements = 9, .strategy = online_strategy::random});
  std::optional<parameter_values> broken;
  while (const auto point = search.ask()) {
    const bool again = broken && *point == *broken;
    if (!broken) broken = point;
    search.tell(*point, again ? std::numeric_limits<double>::infinity()
                              : (*point == *broken ? 0.5 : cost_of((*point)[0], (*point)[1])));
  }
  CHECK(search.best() != *broken);
}

TEST_CASE("each kind of input has its own search, and keeps its best point") {
  listener ear;
  product p(ear.cx);
  p.f.search_online({.measurements = 36});
  for (const double x : {4.0, 32.0}) {
    for (int call = 0; call < 36; ++call) p.f(x);
  }
  CHECK(p.f(4.0) == 1.0);
  CHECK(p.f(32.0) == 1.0);
  CHECK(p.f.best_known(4.0) == "tiled tile=4 unroll=2");
  CHECK(p.f.best_known(32.0) == "tiled tile=32 unroll=2");
  CHECK(p.f.best_known(5.0) == "tiled tile=1 unroll=1");
  CHECK(p.calls == 74);  // no call ran twice
  auto bound = p.f.bind(4.0);
  CHECK(bound() == 1.0);
  p.f.fix_inputs(32.0);
  CHECK(p.f() == 1.0);
  CHECK(ear.warnings.empty());
}

TEST_CASE("a key says which inputs are of one kind") {
  listener ear;
  product p(ear.cx);
  p.f.search_online({.measurements = 36}, [](double x) { return static_cast<int>(x) / 10; });
  for (int call = 0; call < 36; ++call) p.f(16.0);
  CHECK(p.f.best_known(19.0) == "tiled tile=16 unroll=2");
  CHECK(p.f.best_known(20.0) == "tiled tile=1 unroll=1");
}

TEST_CASE("the best points are kept in a file") {
  const test::scratch folder;
  const std::string cache = folder / "points";
  {
    listener ear;
    product p(ear.cx);
    p.f.search_online({.measurements = 36, .cache = cache});
    for (int call = 0; call < 37; ++call) p.f(8.0);
    for (int call = 0; call < 10; ++call) p.f(16.0);  // not finished
  }
  const std::vector<std::string> lines = test::lines_of(cache);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("fettle-points 1 f "));
  CHECK(lines[1].starts_with("tiled "));
  CHECK(lines[1].ends_with(" tile%3D8%20unroll%3D2 1"));
  listener ear;
  product p(ear.cx);
  p.f.search_online({.measurements = 36, .cache = cache});
  CHECK(p.f(8.0) == 1.0);
  CHECK(p.f(16.0) > 1.0);
  CHECK(ear.warnings.empty());
}

TEST_CASE("a cache that is damaged or another's is not used") {
  const test::scratch folder;
  const std::string cache = folder / "points";
  const auto warnings = [&](const std::string& text) {
    test::write_text(cache, text);
    listener ear;
    product p(ear.cx);
    p.f.search_online({.measurements = 36, .cache = cache});
    CHECK(p.f(8.0) > 1.0);
    for (int call = 0; call < 40; ++call) p.f(8.0);
    CHECK(p.f(8.0) == 1.0);
    return ear.warnings;
  };
  const auto refused = warnings("fettle-points 1 g somewhere\nx\n");
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].find("it holds points of another function or machine") != std::string::npos);
  CHECK(test::lines_of(cache).size() == 2);  // it stays as it was

  // Lines that are cut or of points that there are no more.
  test::write_text(cache, "");
  {
    listener ear;
    product p(ear.cx);
    p.f.search_online({.measurements = 36, .cache = cache});
    for (int call = 0; call < 37; ++call) p.f(8.0);
  }
  const std::vector<std::string> whole = test::lines_of(cache);
  REQUIRE(whole.size() == 2);
  std::string other = whole[1];
  other.replace(other.find("tile%3D8"), 8, "tile%3D7");
  for (const std::string& line : {whole[1].substr(0, whole[1].size() - 2), other,
                                  std::string("tiled"), std::string(), whole[1] + " x"}) {
    CAPTURE(line);
    CHECK(warnings(whole[0] + "\n" + line + "\n").empty());
  }
}

TEST_CASE("a cache that cannot be written is reported") {
  listener ear;
  product p(ear.cx);
  p.f.search_online({.measurements = 2, .cache = "/nowhere/points"});
  for (int call = 0; call < 4; ++call) p.f(8.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0].find("cannot write '/nowhere/points'") != std::string::npos);
}

TEST_CASE("a point that throws is passed on, and not chosen") {
  listener ear;
  function f(ear.cx);
  f.add_variant(
      "g",
      [](double, const parameters& p) {
        if (p["v"] == 2) throw std::runtime_error("two");
        return static_cast<double>(p["v"]);
      },
      parameter{"v", {2, 1, 3}, 3});
  f.search_online({.measurements = 10});
  int thrown = 0;
  for (int call = 0; call < 10; ++call) {
    try {
      f(0.0);
    } catch (const std::runtime_error&) {
      ++thrown;
    }
  }
  CHECK(thrown == 1);
  CHECK(f(0.0) == 1.0);
}

TEST_CASE("a feature that throws leaves parameters at their defaults") {
  listener ear;
  function f(ear.cx);
  f.add_variant("g", [](double, int v) { return 1.0 * v; }, parameter{"v", {2, 1}});
  f.add_input_feature("x", [](double) -> double { throw std::runtime_error("no"); });
  f.search_online({});
  CHECK(f(0.0) == 2.0);
  CHECK(f(0.0) == 2.0);
  REQUIRE(ear.warnings.size() == 1);
}

TEST_CASE("forced and modelled points are not searched") {
  {
    const test::environment_variable forced("FETTLE_FORCE", "f=tiled tile=64 unroll=2");
    listener ear;
    product p(ear.cx);
    p.f.search_online({});
    for (int call = 0; call < 5; ++call) CHECK(p.f(64.0) == 1.0);
  }
  test::scratch folder;
  test::split_model model;
  model.variants = {"tiled", "plain", "tiled%20tile%3D64%20unroll%3D2"};
  model.below = {0, 1, 1};
  model.above = {1, 1, 0};
  model.further = {"parameters tiled tile=1,2,4,8,16,32,64 unroll=1,2,4,8"};
  test::write_model(folder.path(), model);
  fettle::context cx({folder.path(), {}, true});
  product p(cx);
  p.f.search_online({.measurements = 36});
  for (int call = 0; call < 5; ++call) CHECK(p.f(64.0) == 1.0);  // the model's point
  for (int call = 0; call < 40; ++call) p.f(8.0);                // the model says tiled
  CHECK(p.f(8.0) == 1.0);
}

TEST_CASE("threads share a search") {
  listener ear;
  product p(ear.cx);
  p.f.search_online({.measurements = 38, .strategy = online_strategy::random});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&p] {
      for (int call = 0; call < 50; ++call) {
        p.f(8.0);
        p.f(16.0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(p.calls == 400);
  CHECK(p.f(8.0) <= 1.5);
  CHECK(p.f.best_known(16.0).starts_with("tiled tile="));
}

TEST_CASE("nothing can be searched in no measurements, or after the first call") {
  listener ear;
  product p(ear.cx);
  CHECK_THROWS_WITH(p.f.search_online({.measurements = 0}),
                    "f: search_online needs at least 1 measurement");
  p.f(1.0);
  CHECK_THROWS_AS(p.f.search_online({}), fettle::error);
}
