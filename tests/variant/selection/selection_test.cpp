// Selection by a model: what is evaluated, what is chosen, and what happens when something is
// amiss.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::selection_reason;
using test::environment_variable;
using test::split_model;

namespace {

/// A context that keeps its warnings.
struct listener {
  explicit listener(const std::string& directory, bool strict = false)
      : cx({directory, [this](std::string_view text) { warnings.emplace_back(text); }, strict}) {}
  std::vector<std::string> warnings;
  fettle::context cx;
};

template <typename Policy>
struct tuned {
  explicit tuned(fettle::context& cx) : f(cx) {
    f.add_variant("low", [](double) { return 1.0; });
    f.add_variant(
        "high", [](double) { return 2.0; }, fettle::version{"2"});  // which binds no model
    f.add_input_feature("x", [](double x) { return x; });
  }
  fettle::code_variant<Policy, std::tuple<double>> f;
};

using plain = fettle::policy<"f">;

struct predicting {
  static constexpr std::string_view name = "f";
  static constexpr auto outside_region = fettle::outside_region::predict;
};
struct ranking {
  static constexpr std::string_view name = "f";
  static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
};
struct unconstrained {
  static constexpr std::string_view name = "f";
  static constexpr bool constraints = false;
};
struct stern {
  static constexpr std::string_view name = "f";
  static constexpr bool strict = true;
};

}  // namespace

TEST_CASE("the model chooses, select() says so without running") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  tuned<plain> t(ear.cx);
  CHECK_FALSE(t.f.last_selection());
  CHECK(t.f(3.0) == 1.0);
  CHECK(t.f(30.0) == 2.0);
  CHECK(t.f.last_selection()->variant == "high");
  CHECK(t.f.last_selection()->reason == selection_reason::model);
  CHECK(t.f.select(3.0).variant == "low");
  CHECK(ear.warnings.empty());
}

TEST_CASE("a bound call selects once") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  fettle::code_variant<plain, double(double&)> f(ear.cx);
  int evaluated = 0;
  f.add_variant("low", [](double& x) { return x; });
  f.add_variant("high", [](double& x) { return -x; });
  f.add_input_feature("x", [&](double& x) {
    ++evaluated;
    return x;
  });
  double x = 30.0;
  auto bound = f.bind(x);
  CHECK(bound.selection().variant == "high");
  CHECK(bound() == -30.0);
  x = 3.0;  // the selection is made; the argument is the caller's own
  CHECK(bound() == -3.0);
  CHECK(evaluated == 1);
}

TEST_CASE("only the features that the model uses are evaluated") {
  test::scratch folder;
  split_model model;
  model.features = {"x", "costly"};
  test::write_model(folder.path(), model);
  listener ear(folder.path());
  tuned<plain> t(ear.cx);
  int evaluated = 0;
  t.f.add_input_feature("costly", [&](double) { return ++evaluated; });
  CHECK(t.f(30.0) == 2.0);
  CHECK(evaluated == 0);
}

TEST_CASE("names match by name, not by order") {
  test::scratch folder;
  split_model model;
  model.features = {"x", "y"};
  test::write_model(folder.path(), model);
  listener ear(folder.path());
  fettle::code_variant<plain, std::tuple<double>> f(ear.cx);
  f.add_variant("high", [](double) { return 2.0; });
  f.add_variant("low", [](double) { return 1.0; });
  f.add_input_feature("y", [](double) { return -1e9; });
  f.add_input_feature("x", [](double x) { return x; });
  f.set_default("low");
  CHECK(f(30.0) == 2.0);
  CHECK(f(3.0) == 1.0);
  CHECK(ear.warnings.empty());
}

TEST_CASE("an input outside the trained region gets the default, or the prediction if so wished") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  tuned<plain> t(ear.cx);
  CHECK(t.f(124.0) == 2.0);  // within the tolerance
  CHECK(t.f(126.0) == 1.0);
  CHECK(t.f.last_selection()->reason == selection_reason::outside_region);
  CHECK(t.f(std::numeric_limits<double>::quiet_NaN()) == 1.0);
  CHECK(t.f(std::numeric_limits<double>::infinity()) == 1.0);
  CHECK(t.f.last_selection()->reason == selection_reason::outside_region);
  tuned<predicting> p(ear.cx);
  CHECK(p.f(126.0) == 2.0);
  CHECK(p.f.last_selection()->reason == selection_reason::model);
}

TEST_CASE("a failed constraint means the default, or the next best valid variant") {
  test::scratch folder;
  split_model model;
  model.variants = {"low", "middle", "high"};
  model.below = {0.0, 0.5, 1.0};
  model.above = {0.9, 0.5, 0.0};
  test::write_model(folder.path(), model);
  listener ear(folder.path());
  const auto build = [](auto& f, bool middle_valid) {
    f.add_variant("low", [](double) { return 1.0; });
    f.add_variant("middle", [](double) { return 2.0; });
    f.add_variant("high", [](double) { return 3.0; });
    f.add_input_feature("x", [](double x) { return x; });
    f.add_constraint("high", [](double) { return true; });
    f.add_constraint("high", [](double x) { return x < 50.0; });
    f.add_constraint("middle", [=](double) { return middle_valid; });
  };
  fettle::code_variant<plain, std::tuple<double>> f(ear.cx);
  build(f, true);
  CHECK(f(40.0) == 3.0);
  CHECK(f(60.0) == 1.0);
  CHECK(f.last_selection()->reason == selection_reason::constraint_failed);

  fettle::code_variant<ranking, std::tuple<double>> g(ear.cx);
  build(g, true);
  CHECK(g(60.0) == 2.0);
  CHECK(g.last_selection()->reason == selection_reason::next_best);

  fettle::code_variant<ranking, std::tuple<double>> h(ear.cx);
  build(h, false);
  CHECK(h(60.0) == 1.0);
  CHECK(h.last_selection()->reason == selection_reason::next_best);

  fettle::code_variant<unconstrained, std::tuple<double>> u(ear.cx);
  build(u, true);
  CHECK(u(60.0) == 3.0);
}

TEST_CASE("a variant that the model never chooses is not the next best one either") {
  test::scratch folder;
  split_model model;
  model.variants = {"low", "middle", "high"};
  model.below = {0.0, 1e300, 1.0};
  model.above = {1.0, 1e300, 0.0};
  test::write_model(folder.path(), model);
  listener ear(folder.path());
  const auto build = [](auto& f, bool low_valid) {
    f.add_variant("low", [](double) { return 1.0; });
    f.add_variant("middle", [](double) { return 2.0; });
    f.add_variant("high", [](double) { return 3.0; });
    f.set_default("high");
    f.add_input_feature("x", [](double x) { return x; });
    f.add_constraint("high", [](double) { return false; });
    f.add_constraint("low", [=](double) { return low_valid; });
  };
  fettle::code_variant<ranking, std::tuple<double>> f(ear.cx);
  build(f, true);
  CHECK(f(60.0) == 1.0);
  CHECK(f.last_selection()->reason == selection_reason::next_best);

  fettle::code_variant<ranking, std::tuple<double>> g(ear.cx);
  build(g, false);
  CHECK(g(60.0) == 3.0);
  CHECK(g.last_selection()->reason == selection_reason::constraint_failed);
}

namespace {

/// Three solvers of y = x that diverge beyond 20, 30 and 40, and leave a wrong y then.
struct solving : plain {
  static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
};
struct solving_faster : solving {
  static constexpr bool larger_is_better = true;
};
struct solvers {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  auto solver(double limit, double metric) {
    return [this, limit, metric](double& x, double& y) {
      CHECK(y == 0.0);
      ran.push_back(metric);
      y = x <= limit ? x : -1.0;
      return x <= limit ? metric : infinity;
    };
  }

  explicit solvers(fettle::context& cx) : f(cx, [this](double&, double& y) { ++resets, y = 0.0; }) {
    f.add_variant("fast", solver(20.0, 1.0));
    f.add_variant("steady", solver(30.0, 2.0));
    f.add_variant("sure", solver(40.0, 3.0));
    f.add_input_feature("x", [](double x, double) { return x; });
  }

  double solve(double x) {
    double y = 0.0;
    ran.clear();
    const double metric = f(x, y);
    solved = y == x;
    return metric;
  }

  int resets = 0;
  bool solved = false;
  std::vector<double> ran;
  fettle::code_variant<solving, std::tuple<double&, double&>> f;
};

/// Ranks fast, sure, steady up to x = 50, and steady first beyond.
split_model solver_model() {
  split_model model;
  model.variants = {"fast", "steady", "sure"};
  model.threshold = 50.0;
  model.below = {0.0, 2.0, 1.0};
  model.above = {2.0, 0.0, 1.0};
  return model;
}

}  // namespace

TEST_CASE("an infinite metric runs the next best variant on the inputs as they were") {
  test::scratch folder;
  test::write_model(folder.path(), solver_model());
  listener ear(folder.path());
  solvers s(ear.cx);
  CHECK(s.solve(10.0) == 1.0);
  CHECK(s.resets == 0);
  CHECK(s.f.last_selection()->reason == selection_reason::model);
  CHECK(s.solve(25.0) == 3.0);
  CHECK(s.solved);
  CHECK(s.ran == std::vector{1.0, 3.0});
  CHECK(s.resets == 1);
  CHECK(s.f.last_selection()->variant == "sure");
  CHECK(s.f.last_selection()->reason == selection_reason::infinite_metric);

  SECTION("each variant once, and the last one's result where none is finite") {
    CHECK(s.solve(45.0) == solvers::infinity);
    CHECK(s.ran == std::vector{1.0, 3.0, 2.0});
    CHECK_FALSE(s.solved);
    CHECK(s.solve(60.0) == solvers::infinity);
    CHECK(s.ran == std::vector{2.0, 3.0, 1.0});
  }
  SECTION("bound calls and fixed inputs do so too") {
    double x = 25.0;
    double y = 0.0;
    auto bound = s.f.bind(x, y);
    CHECK(bound.selection().variant == "fast");
    for (const int call : {1, 2}) {
      y = 0.0;
      INFO(call);
      CHECK(bound() == 3.0);
      CHECK(y == 25.0);
    }
    y = 0.0;
    s.f.fix_inputs(x, y);
    CHECK(s.f() == 3.0);
    CHECK(y == 25.0);
  }
  CHECK(ear.warnings.empty());
}

TEST_CASE("the next best variant after an infinite metric is one whose constraints hold") {
  test::scratch folder;
  test::write_model(folder.path(), solver_model());
  listener ear(folder.path());
  solvers s(ear.cx);
  bool allows_others = true;
  s.f.add_constraint("sure", [](double, double) { return false; });
  s.f.add_constraint("steady", [&](double, double y) { return allows_others && y == 0.0; });
  CHECK(s.solve(25.0) == 2.0);
  CHECK(s.ran == std::vector{1.0, 2.0});
  allows_others = false;
  CHECK(s.solve(25.0) == solvers::infinity);
  CHECK(s.ran == std::vector{1.0});
}

TEST_CASE("without a model the default is followed by the others in their order") {
  listener ear("");
  solvers s(ear.cx);
  s.f.set_default("steady");
  CHECK(s.solve(35.0) == 3.0);
  CHECK(s.ran == std::vector{2.0, 1.0, 3.0});
  const environment_variable force("FETTLE_FORCE", "f=fast");
  solvers forced(ear.cx);
  CHECK(forced.solve(35.0) == solvers::infinity);
  CHECK(forced.ran == std::vector{1.0});
}

TEST_CASE("where larger is better, zero runs the next best variant; values are passed on whole") {
  listener ear("");
  fettle::code_variant<solving_faster, std::tuple<std::vector<double>>> f(
      ear.cx, [](std::vector<double>& v) { v.assign(3, 1.0); });
  f.add_variant("takes all", [](std::vector<double>&& v) {
    const std::vector<double> taken = std::move(v);
    return taken.size() == 3 ? 0.0 : 9.0;
  });
  f.add_variant("needs all", [](const std::vector<double>& v) { return v[0] + v[1] + v[2]; });
  CHECK(f(std::vector<double>(3)) == 3.0);
}

TEST_CASE("the trace tells which variant followed which") {
  test::scratch folder;
  test::write_model(folder.path(), solver_model());
  const std::string file = folder / "trace";
  const environment_variable trace("FETTLE_TRACE", file);
  listener ear(folder.path());
  solvers s(ear.cx);
  s.solve(25.0);
  const std::vector<std::string> lines = test::lines_of(file);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].ends_with(R"("variant":"fast","reason":"model"})"));
  CHECK(lines[1] ==
        R"({"function":"f","after":"fast","variant":"sure","reason":"infinite metric"})");
}

TEST_CASE("a feature or a constraint that throws costs the choice, not the program") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  fettle::code_variant<plain, std::tuple<double>> f(ear.cx);
  f.add_variant("low", [](double) { return 1.0; });
  f.add_variant("high", [](double) { return 2.0; });
  f.add_input_feature("x", [](double x) {
    if (x > 70.0) throw std::runtime_error("x too large");
    return x;
  });
  f.add_constraint("high", [](double x) {
    if (x > 50.0) throw std::runtime_error("odd");
    return true;
  });
  CHECK(f(80.0) == 1.0);
  CHECK(f.last_selection()->reason == selection_reason::feature_failed);
  CHECK(f(81.0) == 1.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0].find("feature x threw: x too large") != std::string::npos);
  CHECK(f(60.0) == 1.0);
  REQUIRE(ear.warnings.size() == 2);
  CHECK(ear.warnings[1].find("constraint of high threw: odd") != std::string::npos);
}

TEST_CASE("every kind of unusable model means the default and one warning, or an error if strict") {
  test::scratch folder;
  const std::string file = folder / "f/model.txt";
  const std::string good = test::write_model(folder.path(), {});
  const auto expect = [&](const std::string& part) {
    listener ear(folder.path());
    tuned<plain> t(ear.cx);
    CHECK(t.f(30.0) == 1.0);
    CHECK(t.f(31.0) == 1.0);
    CHECK(t.f.last_selection()->reason == selection_reason::no_model);
    REQUIRE(ear.warnings.size() == 1);
    INFO(ear.warnings[0]);
    CHECK(ear.warnings[0].find(part) != std::string::npos);
    CHECK(ear.warnings[0].starts_with("f: "));

    listener strict_ear(folder.path(), true);
    tuned<plain> s(strict_ear.cx);
    CHECK_THROWS_AS(s.f(30.0), fettle::error);
    CHECK_THROWS_AS(s.f(30.0), fettle::error);
    listener lenient(folder.path());
    tuned<stern> p(lenient.cx);
    CHECK_THROWS_AS(p.f(30.0), fettle::error);
  };
  SECTION("missing") {
    std::filesystem::remove_all(folder / "f");
    expect("no model");
  }
  SECTION("truncated") {
    test::write_text(file, good.substr(0, good.size() / 2));
    expect("model.txt");
  }
  SECTION("garbage") {
    test::write_text(file, std::string("\x7f"
                                       "ELF\0\0\0garbage",
                                       14));
    expect("model.txt");
  }
  SECTION("another version") {
    std::string other = good.substr(0, good.rfind("end "));
    other.replace(other.find(" 1\n"), 3, " 9\n");
    test::write_text(file, other + "end " + test::checksum(other) + "\n");
    expect("9");
  }
  SECTION("predictor file missing") {
    std::filesystem::remove(folder / "f/model.tree");
    expect("model.tree");
  }
  SECTION("predictor file truncated") {
    const std::string tree = test::read_text(folder / "f/model.tree");
    test::write_text(folder / "f/model.tree", tree.substr(0, tree.size() - 5));
    expect("model.tree");
  }
  SECTION("a pipe") {
    std::filesystem::remove(file);
    REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    expect("model.txt': it is not a regular file but a pipe");
  }
  SECTION("a pipe as predictor") {
    std::filesystem::remove(folder / "f/model.tree");
    REQUIRE(mkfifo((folder / "f/model.tree").c_str(), 0600) == 0);
    expect("model.tree': it is not a regular file but a pipe");
  }
  SECTION("a predictor of another size") {
    std::filesystem::resize_file(folder / "f/model.tree", std::uintmax_t{1} << 41);
    expect("model.tree' is larger than the ");
  }
  SECTION("a folder") {
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    expect("model.txt': Is a directory");
  }
  SECTION("a loop of links, though the next folder has a model") {
    std::filesystem::remove(file);
    std::filesystem::create_symlink(file, file);
    test::scratch next;
    test::write_model(next.path(), {});
    const environment_variable there("FETTLE_MODEL_DIR", next.path());
    expect("model.txt': Too many levels of symbolic links");
  }
  SECTION("another function") {
    split_model other;
    other.function = "g";
    test::write_model(folder.path(), other);
    std::filesystem::remove_all(folder / "f");
    std::filesystem::rename(folder / "g", folder / "f");
    expect("trained for the function g");
  }
  SECTION("other variants") {
    split_model other;
    other.variants = {"low", "medium"};
    test::write_model(folder.path(), other);
    expect("other variants (low medium)");
  }
  SECTION("more variants") {
    split_model other;
    other.variants = {"low", "high", "higher"};
    other.below = {0, 1, 2};
    other.above = {2, 1, 0};
    test::write_model(folder.path(), other);
    expect("other variants");
  }
  SECTION("other features") {
    split_model other;
    other.features = {"y"};
    test::write_model(folder.path(), other);
    expect("other features (y)");
  }
}

TEST_CASE("the model is looked up in the context's directory, the environment, the policy's own") {
  test::scratch first;
  test::scratch second;
  test::write_model(first.path(), {});
  split_model inverse;
  inverse.below = {1.0, 0.0};
  inverse.above = {0.0, 1.0};
  test::write_model(second.path(), inverse);
  listener ear(first.path());
  listener silent("");
  const environment_variable there("FETTLE_MODEL_DIR", second.path());
  tuned<plain> t(ear.cx);
  CHECK(t.f(30.0) == 2.0);
  tuned<plain> e(silent.cx);
  CHECK(e.f(30.0) == 1.0);
  CHECK(e.f.last_selection()->reason == selection_reason::model);
}

TEST_CASE("a FETTLE_MODEL_DIR without the model that is found elsewhere is reported") {
  test::scratch folder;
  test::scratch empty;
  test::write_model(folder / "fettle_models", {});
  struct back {
    std::filesystem::path before = std::filesystem::current_path();
    ~back() { std::filesystem::current_path(before); }
  } const afterwards;
  std::filesystem::current_path(folder.path());
  const environment_variable directory("FETTLE_MODEL_DIR", empty.path());
  listener ear("");
  tuned<plain> t(ear.cx);
  CHECK(t.f(30.0) == 2.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0] == "f: FETTLE_MODEL_DIR=" + empty.path() +
                               " has no model of it; the one in fettle_models/f is used");
}

TEST_CASE("a FETTLE_MODEL_DIR that is a model itself is reported") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  const environment_variable directory("FETTLE_MODEL_DIR", folder / "f");
  listener ear(folder.path());
  tuned<plain> t(ear.cx);
  CHECK(t.f(30.0) == 2.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0] == "FETTLE_MODEL_DIR=" + folder / "f" +
                               " is the folder of one model; name the one that holds "
                               "<function>/model.txt, or unset it");
}

TEST_CASE("a FETTLE_MODEL_DIR that is not a folder is reported once, and in strict mode an error") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  const std::string there = folder / "f/model.txt";
  const environment_variable directory("FETTLE_MODEL_DIR", there);
  listener ear(folder.path());
  tuned<plain> t(ear.cx);
  tuned<plain> again(ear.cx);
  CHECK(t.f(30.0) == 2.0);
  CHECK(again.f(30.0) == 2.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0] == "FETTLE_MODEL_DIR=" + there +
                               " is not a folder; name the one that holds <function>/model.txt, or "
                               "unset it");
  listener strict(folder.path(), true);
  tuned<plain> s(strict.cx);
  CHECK_THROWS_AS(s.f(30.0), fettle::error);
}

TEST_CASE("FETTLE_FORCE forces a variant where its constraint holds") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  const environment_variable force("FETTLE_FORCE", "g=low,f=high");
  tuned<plain> t(ear.cx);
  t.f.add_constraint("high", [](double x) { return x < 50.0; });
  CHECK(t.f(3.0) == 2.0);
  CHECK(t.f.last_selection()->reason == selection_reason::forced);
  CHECK(t.f(60.0) == 1.0);
  CHECK(t.f.last_selection()->reason == selection_reason::constraint_failed);
}

TEST_CASE("FETTLE_FORCE names what has a comma by percent encoding") {
  listener ear("");
  const environment_variable force("FETTLE_FORCE", "f=by%2Crows");
  tuned<plain> t(ear.cx);
  t.f.add_variant("by,rows", [](double) { return 3.0; });
  CHECK(t.f(3.0) == 3.0);
  const environment_variable cut("FETTLE_FORCE", "f=by,g=rows");
  tuned<plain> other(ear.cx);
  other.f.add_variant("by,rows", [](double) { return 3.0; });
  CHECK(other.f(3.0) != 3.0);
  CHECK(std::any_of(ear.warnings.begin(), ear.warnings.end(), [](const std::string& warning) {
    return warning.find("(write a comma in a name as %2C)") != std::string::npos;
  }));
}

TEST_CASE("FETTLE_FORCE with an unknown variant is ignored with a warning") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  const environment_variable force("FETTLE_FORCE", "f=fastest");
  tuned<plain> t(ear.cx);
  CHECK(t.f(30.0) == 2.0);
  REQUIRE(ear.warnings.size() == 1);
  CHECK(ear.warnings[0].find("fastest") != std::string::npos);
  CHECK(ear.warnings[0].find("low high") != std::string::npos);
}

TEST_CASE("FETTLE_FORCE with an unknown variant is an error in strict mode") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path(), true);
  const environment_variable force("FETTLE_FORCE", "f=fastest");
  tuned<plain> t(ear.cx);
  try {
    t.f(30.0);
    FAIL("nothing was thrown");
  } catch (const fettle::error& problem) {
    CHECK(std::string(problem.what()) ==
          "f: FETTLE_FORCE names the variant fastest, which is not one of low high; name one of "
          "them, or unset it");
  }
}

TEST_CASE("a FETTLE_FORCE that cannot be understood is an error") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  const environment_variable force("FETTLE_FORCE", "high");
  tuned<plain> t(ear.cx);
  CHECK_THROWS_AS(t.f(30.0), fettle::error);
  CHECK_THROWS_AS(t.f.select(30.0), fettle::error);
}

TEST_CASE("FETTLE_TRACE writes each decision with its values, scores and reason") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  const std::string file = folder / "trace.jsonl";
  const environment_variable trace("FETTLE_TRACE", file);
  tuned<plain> t(ear.cx);
  t.f(30.0);
  t.f(1000.0);
  listener nowhere(folder / "nothing");
  tuned<fettle::policy<"untuned">> u(nowhere.cx);
  u.f(1.0);
  const std::vector<std::string> lines = test::lines_of(file);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with(
      R"({"function":"f","features":{"x":30},"inside":true,"scores":{"low":)"));
  CHECK(lines[0].ends_with(R"("variant":"high","reason":"model"})"));
  CHECK(lines[1].find(R"("inside":false)") != std::string::npos);
  CHECK(lines[1].ends_with(R"("variant":"low","reason":"outside the trained region"})"));
  CHECK(lines[2] == R"({"function":"untuned","variant":"low","reason":"no model"})");
}

TEST_CASE("a feature that threw has no value in the trace") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  const std::string file = folder / "trace.jsonl";
  const environment_variable trace("FETTLE_TRACE", file);
  fettle::code_variant<plain, std::tuple<double>> f(ear.cx);
  f.add_variant("low", [](double) { return 1.0; });
  f.add_variant("high", [](double) { return 2.0; });
  f.add_input_feature("x", [](double) -> double { throw std::runtime_error("unknown"); });
  CHECK(f(30.0) == 1.0);
  const std::vector<std::string> lines = test::lines_of(file);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] ==
        R"({"function":"f","features":{"x":"nan"},"variant":"low","reason":"feature failed"})");
}

TEST_CASE("a trace that cannot be written costs a warning, nothing else") {
  const test::scratch folder;
  test::write_model(folder.path(), {});
  const auto heard_of_trace_to = [&](const std::string& path) {
    listener ear(folder.path());
    const environment_variable trace("FETTLE_TRACE", path);
    tuned<plain> t(ear.cx);
    CHECK(t.f(30.0) == 2.0);
    CHECK(t.f(3.0) == 1.0);
    return ear.warnings;
  };
  CHECK(heard_of_trace_to(folder / "missing/trace.jsonl") ==
        std::vector<std::string>{"f: cannot open the trace file '" +
                                 folder / "missing/trace.jsonl" +
                                 "' (FETTLE_TRACE): No such file or directory; decisions are not "
                                 "traced"});
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(heard_of_trace_to(pipe) ==
        std::vector<std::string>{"f: cannot open the trace file '" + pipe +
                                 "' (FETTLE_TRACE): it is a pipe that nobody reads; decisions are "
                                 "not traced"});
  CHECK(heard_of_trace_to("/dev/full").empty());  // a line on standard error
}

TEST_CASE("a model that was trained again is read again by new objects") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  listener ear(folder.path());
  tuned<plain> before(ear.cx);
  CHECK(before.f(30.0) == 2.0);
  split_model inverse;
  inverse.below = {1.0, 0.0};
  inverse.above = {0.0, 1.0};
  std::filesystem::remove_all(folder / "f");
  test::write_model(folder.path(), inverse);
  tuned<plain> after(ear.cx);
  CHECK(after.f(30.0) == 1.0);
  CHECK(before.f(30.0) == 2.0);
}
