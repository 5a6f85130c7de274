// Variants that are compiled for the values of their parameters while the program runs.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/parameters/compiled.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::compiled;
using fettle::parameter;

namespace {

const std::string include = "-I'" FETTLE_SOURCE_DIR "/include'";
const std::string command =
    "c++ -std=c++20 -O0 -shared -fPIC " + include + " {defines} {source} -o {output}";

/// Returns 1000 TILE + UNROLL + x.
const std::string source = R"(
#include <fettle/variant/parameters/compiled_function.hpp>
#ifndef TILE
#error TILE is not defined
#endif
#if TILE == 3
#error three is too odd
#endif
static double tiled(double x) { return 1000.0 * TILE + UNROLL + x; }
extern "C" fettle::compiled_function fettle_compiled() {
  return fettle::compiled_function::of(tiled);
}
)";

using function = fettle::code_variant<fettle::policy<"f">, std::tuple<double>>;

/// A folder with the source, and what is made of it.
struct place {
  test::scratch folder;
  fettle::compiled_options options;

  explicit place(const std::string& text = source) {
    options = {folder / "it's tiled.cpp", command, folder / "objects"};
    test::write_text(options.source, text);
  }
  void add(function& f) const {
    f.add_variant("tiled", compiled<double(double)>(options), parameter{"TILE", {2, 3, 4}},
                  parameter{"UNROLL", {1, 7}});
  }
  std::size_t objects() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder)) {
      static_cast<void>(entry);
      ++count;
    }
    return count;
  }
};

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("points are compiled when they are needed, once") {
  const place here;
  fettle::context cx({"nowhere", [](std::string_view) {}, false});
  {
    function f(cx);
    here.add(f);
    CHECK(here.objects() == 1);
    CHECK(f(0.5) == 2001.5);
  }
  {
    const test::environment_variable forced("FETTLE_FORCE", "f=tiled TILE=4 UNROLL=7");
    function f(cx);
    here.add(f);
    CHECK(f(0.5) == 4007.5);
    CHECK(f.last_selection()->variant == "tiled TILE=4 UNROLL=7");
    CHECK(here.objects() == 2);
  }
  test::write_text(here.options.source, source + "\n");  // changed: made anew
  function f(cx);
  here.add(f);
  CHECK(here.objects() == 3);
}

TEST_CASE("a compiled variant is searched like any other") {
  const place here;
  std::vector<std::string> warnings;
  fettle::context cx(
      {"nowhere", [&](std::string_view text) { warnings.emplace_back(text); }, false});
  function f(cx);
  f.add_variant("tiled", compiled<double(double)>(here.options), parameter{"TILE", {2, 3}},
                parameter{"UNROLL", {1}});
  f.search_online({.measurements = 5});
  double sum = 0.0;
  for (int call = 0; call < 8; ++call) sum += f(0.0);
  CHECK(sum >= 8 * 2001.0);
  CHECK(f.best_known(0.0) == "tiled TILE=2 UNROLL=1");
  CHECK(f(0.0) == 2001.0);
  REQUIRE(warnings.size() == 2);  // no model, and
  CHECK(contains(warnings[1], "three is too odd"));
}

TEST_CASE("a point that does not compile is not deployed") {
  const place here;
  const test::scratch models;
  test::split_model model;
  model.variants = {"tiled%20TILE%3D3%20UNROLL%3D1", "tiled%20TILE%3D4%20UNROLL%3D1"};
  model.further = {"parameters tiled TILE=2,3,4 UNROLL=1,7"};
  test::write_model(models.path(), model);
  std::vector<std::string> warnings;
  fettle::context cx(
      {models.path(), [&](std::string_view text) { warnings.emplace_back(text); }, false});
  function f(cx);
  here.add(f);
  f.add_input_feature("x", [](double x) { return x; });
  CHECK(f(50.0) == 2051.0);
  REQUIRE(warnings.size() == 1);
  CHECK(contains(warnings[0], "three is too odd"));
  fettle::context strict({models.path(), {}, true});
  function g(strict);
  here.add(g);
  g.add_input_feature("x", [](double x) { return x; });
  CHECK(contains(message_of([&] { g(50.0); }), "three is too odd"));
}

TEST_CASE("what goes wrong is said") {
  using option = fettle::compiled_options;
  const auto added = [](const place& here, const auto& change) {
    return message_of([&] {
      option options = here.options;
      change(options);
      fettle::context cx;
      function f(cx);
      f.add_variant("tiled", compiled<double(double)>(options), parameter{"TILE", {2, 3}},
                    parameter{"UNROLL", {1, 7}});
    });
  };
  const place here;
  CHECK(contains(added(here, [](option& o) { o.source = "/nowhere/x.cpp"; }), "/nowhere/x.cpp"));
  CHECK(contains(added(here, [](option& o) { o.command = "c++ {source}"; }),
                 "needs {defines} and {output}"));
  CHECK(contains(added(here, [](option& o) { o.command = "no-such-compiler {defines} {output}"; }),
                 "failed:\n"));
  CHECK(contains(added(here, [](option& o) { o.folder = "/dev/null/x"; }), "failed:\n"));
  CHECK(contains(added(place("void f() {}"), [](option&) {}), "exports no fettle_compiled()"));
  std::string other = source;
  other.replace(other.find("double tiled"), 6, "float ");
  CHECK(contains(added(place(other), [](option&) {}), "exports a function of another type"));
  CHECK(here.objects() == 0);  // nothing half made is left
}
