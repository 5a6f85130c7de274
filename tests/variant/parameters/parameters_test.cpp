// Variants with parameters: how they are registered and called, and models that choose their
// values.
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::constraint;
using fettle::parameter;
using fettle::parameters;
using fettle::selection_reason;
using test::environment_variable;
using test::split_model;

namespace {

/// A context that keeps its warnings.
struct listener {
  explicit listener(const std::string& directory = "nowhere", bool strict = false)
      : cx({directory, [this](std::string_view text) { warnings.emplace_back(text); }, strict}) {}
  std::vector<std::string> warnings;
  fettle::context cx;
};

using function = fettle::code_variant<fettle::policy<"f">, std::tuple<double>>;

/// Returns 1000 tile + unroll.
double tiled(double, const parameters& p) {
  return static_cast<double>(1000 * p["tile"] + p["unroll"]);
}

/// plain, and tiled with tile 16, 32 or 64 and unroll 1, 2 or 4.
struct product {
  explicit product(fettle::context& cx) : f(cx) {
    f.add_variant("plain", [](double) { return -1.0; });
    f.add_variant("tiled", tiled, parameter{"tile", {16, 32, 64}, 32},
                  parameter{"unroll", {1, 2, 4}}, constraint{"tile * unroll <= 128"});
    f.add_input_feature("x", [](double x) { return x; });
  }
  function f;
};

std::string complaint_of(const std::function<void(function&)>& add) {
  listener ear;
  function f(ear.cx);
  try {
    add(f);
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string tiled_16 = "tiled%20tile%3D16%20unroll%3D4";
const std::string tiled_64 = "tiled%20tile%3D64%20unroll%3D2";
const std::string both_lists = "parameters tiled tile=16,32,64 unroll=1,2,4";

/// A model of "plain" and "tiled" whose second class is refined by one with two points.
void write_refined(const std::string& directory, const std::vector<std::string>& points,
                   const std::string& parameters_line = both_lists) {
  split_model refining;
  refining.folder = "f/points-1";
  refining.variants = points;
  refining.threshold = 50.0;
  const std::string text = test::write_model(directory, refining);
  split_model model;
  model.variants = {"plain", "tiled"};
  model.further = {parameters_line, "refine tiled points-1 " + test::checksum(text)};
  test::write_model(directory, model);
}

}  // namespace

TEST_CASE("a variant gets its parameters' default values, as a pack or as numbers") {
  listener ear;
  product p(ear.cx);
  p.f.set_default("tiled");
  CHECK(p.f(1.0) == 32001.0);
  CHECK(p.f.last_selection()->variant == "tiled tile=32 unroll=1");
  CHECK(p.f.last_selection()->index == 1);

  function by_number(ear.cx);
  by_number.add_variant(
      "tiled",
      [](double x, int tile, long unroll) {
        return x + 10.0 * tile + 1.0 * static_cast<double>(unroll);
      },
      parameter{"tile", {16, 32}}, parameter{"unroll", {1, 2}, 2});
  CHECK(by_number(0.5) == 162.5);
}

TEST_CASE("values may be computed, and be as large as a number gets") {
  listener ear;
  function f(ear.cx);
  std::vector<std::int64_t> values;
  for (std::int64_t v = 1; v <= 8; v *= 2) values.push_back(v);
  f.add_variant(
      "g", [](double, std::int64_t v) { return static_cast<double>(v); },
      parameter{"v", values, 8});
  CHECK(f(0.0) == 8.0);
  CHECK(f.last_selection()->variant == "g v=8");
}

TEST_CASE("a function may have a result, and an object may stay the caller's") {
  struct counting {
    int calls = 0;
    int operator()(int x, const parameters& p) { return ++calls, x * static_cast<int>(p["by"]); }
  };
  listener ear;
  counting object;
  fettle::code_variant<fettle::policy<"f">, int(int)> f(ear.cx);
  f.add_variant("scaled", std::ref(object), parameter{"by", {3, 4}});
  CHECK(f(5) == 15);
  CHECK(object.calls == 1);
}

TEST_CASE("FETTLE_FORCE names a point, or the variant at its defaults") {
  listener ear;
  {
    const environment_variable forced("FETTLE_FORCE", "f=tiled tile=64 unroll=2");
    product p(ear.cx);
    CHECK(p.f(1.0) == 64002.0);
    CHECK(p.f.last_selection()->reason == selection_reason::forced);
    CHECK(p.f.last_selection()->variant == "tiled tile=64 unroll=2");
  }
  {
    const environment_variable forced("FETTLE_FORCE", " f = tiled tile=64 unroll=1 ");
    product p(ear.cx);
    CHECK(p.f(1.0) == 64001.0);  // blanks around names are no part of them
  }
  {
    const environment_variable forced("FETTLE_FORCE", "f=tiled");
    product p(ear.cx);
    CHECK(p.f(1.0) == 32001.0);
  }
  CHECK(ear.warnings.empty());
  for (const char* wrong :
       {"f=tiled tile=64 unroll=4", "f=tiled tile=65 unroll=1", "f=tiled unroll=1 tile=64",
        "f=tiled tile=064 unroll=1", "f=tiled tile=64", "f=plain tile=16"}) {
    CAPTURE(wrong);
    const environment_variable forced("FETTLE_FORCE", wrong);
    listener other;
    product p(other.cx);
    CHECK(p.f(1.0) == -1.0);
    REQUIRE(other.warnings.size() >= 1);
    CHECK(other.warnings[0].find("which is not one of plain tiled tile=32 unroll=1") !=
          std::string::npos);
    const std::string written = "; points of tiled are written as 'tiled tile=32 unroll=1', with ";
    const bool is_of_tiled = std::string_view(wrong).starts_with("f=tiled ");
    CHECK((other.warnings[0].find(written) != std::string::npos) == is_of_tiled);
  }
}

TEST_CASE("points are classes of a model like any variant") {
  test::scratch folder;
  split_model model;
  model.variants = {tiled_16, "plain", tiled_64};
  model.below = {0, 1, 1};
  model.above = {1, 1, 0};
  model.further = {both_lists};
  test::write_model(folder.path(), model);
  listener ear(folder.path(), true);
  product p(ear.cx);
  CHECK(p.f(3.0) == 16004.0);
  CHECK(p.f(30.0) == 64002.0);
  CHECK(p.f.last_selection()->variant == "tiled tile=64 unroll=2");
  CHECK(p.f.select(3.0).variant == "tiled tile=16 unroll=4");
  auto bound = p.f.bind(30.0);
  CHECK(bound() == 64002.0);
}

TEST_CASE("a model refines a variant by another model for its parameters") {
  test::scratch folder;
  write_refined(folder.path(), {tiled_16, tiled_64});
  listener ear(folder.path(), true);
  product p(ear.cx);
  CHECK(p.f(3.0) == -1.0);
  CHECK(p.f(30.0) == 16004.0);
  CHECK(p.f(90.0) == 64002.0);
  CHECK(p.f.last_selection()->reason == selection_reason::model);
}

TEST_CASE("a refining model's features are evaluated too") {
  test::scratch folder;
  split_model refining;
  refining.folder = "f/points-1";
  refining.variants = {tiled_16, tiled_64};
  refining.features = {"y", "x"};  // splits on y
  refining.threshold = 0.5;
  split_model model;
  model.variants = {"plain", "tiled"};
  model.features = {"y", "x"};
  // The first feature of the list is what a split_model looks at: give this one x by its line.
  const std::string text = test::write_model(folder.path(), refining);
  model.further = {both_lists, "refine tiled points-1 " + test::checksum(text)};
  std::string top = test::write_model(folder.path(), model);
  const std::size_t input = top.find("input linear y");
  top.replace(input, 14, "input linear x");
  top.resize(top.rfind("end "));
  test::write_text(folder / "f/model.txt", top + "end " + test::checksum(top) + "\n");
  listener ear(folder.path(), true);
  product p(ear.cx);
  p.f.add_input_feature("y", [](double x) { return x - static_cast<double>(static_cast<int>(x)); });
  CHECK(p.f(3.9) == -1.0);
  CHECK(p.f(30.25) == 16004.0);
  CHECK(p.f(30.75) == 64002.0);
}

TEST_CASE("a constraint of a variant holds for all its points") {
  test::scratch folder;
  write_refined(folder.path(), {tiled_16, tiled_64});
  listener ear(folder.path(), true);
  product p(ear.cx);
  p.f.add_constraint("tiled", [](double x) { return x < 60.0; });
  CHECK(p.f(30.0) == 16004.0);
  CHECK(p.f(90.0) == -1.0);
  CHECK(p.f.last_selection()->reason == selection_reason::constraint_failed);
}

TEST_CASE("models of other parameters or points are refused") {
  const auto refusal = [](const std::function<void(const std::string&)>& write) {
    test::scratch folder;
    write(folder.path());
    listener ear(folder.path());
    product p(ear.cx);
    CHECK(p.f(30.0) == -1.0);
    REQUIRE(ear.warnings.size() == 1);
    return ear.warnings[0];
  };
  CHECK(contains(refusal([](const std::string& folder) {
                   write_refined(folder, {tiled_16, tiled_64},
                                 "parameters tiled tile=16,32 unroll=1,2,4");
                 }),
                 "the model was trained for other parameters of tiled (tile=16,32 unroll=1,2,4) "
                 "than the program's (tile=16,32,64 unroll=1,2,4); run the tuning script again"));
  CHECK(contains(refusal([](const std::string& folder) {
                   write_refined(folder, {tiled_16, "tiled%20tile%3D64%20unroll%3D4"});
                 }),
                 "tiled tile=64 unroll=4, which is not a point of the variant tiled"));
  CHECK(contains(
      refusal([](const std::string& folder) { write_refined(folder, {tiled_16, "plain"}); }),
      "plain, which is not a point of the variant tiled"));
  CHECK(contains(refusal([](const std::string& folder) {
                   split_model model;
                   model.variants = {tiled_16, tiled_64};
                   test::write_model(folder, model);
                 }),
                 "trained for other variants (tiled tile=16 unroll=4 tiled tile=64 unroll=2) than "
                 "the program's (plain tiled)"));
  CHECK(contains(refusal([](const std::string& folder) {
                   write_refined(folder, {tiled_16, tiled_64});
                   test::write_text(folder + "/f/points-1/model.txt", "fettle-model 1\n");
                 }),
                 "does not match the checksum in the model that it refines"));
}

TEST_CASE("parameters that do not fit together are refused by name") {
  const auto g = [](double, const parameters&) { return 0.0; };
  const auto complaint = [&](auto... entries) {
    return complaint_of([&](function& f) { f.add_variant("g", g, entries...); });
  };
  CHECK(complaint(parameter{"2b", {1}}) ==
        "f: g: the parameter '2b' needs a name of letters, digits and underscores that begins with "
        "no "
        "digit");
  CHECK(complaint(parameter{"b", {1}}, parameter{"b", {2}}) ==
        "f: g: the parameter b is given twice");
  CHECK(complaint(parameter{"b", std::vector<std::int64_t>{}}) ==
        "f: g: the parameter b has no values to try");
  CHECK(complaint(parameter{"b", {1, 2, 1}}) == "f: g: the parameter b has the value 1 twice");
  CHECK(complaint(parameter{"b", {1, 2}, 3}) ==
        "f: g: the default 3 of the parameter b is none of its values");
  CHECK(complaint(parameter{"b", {1, 2}}, constraint{"c < b"}) ==
        "f: g: the constraint 'c < b' names c, which is none of the parameters b");
  CHECK(
      complaint(parameter{"b", {1, 2}}, constraint{"b >"}) ==
      "f: g: the constraint 'b >' cannot be read: there should be a number, a parameter's name or "
      "'(' at its end");
  CHECK(complaint(constraint{"b > 1"}, parameter{"b", {1, 2}}) ==
        "f: g: the parameters' default values b=1 do not fulfil the constraint 'b > 1'; give the "
        "parameters defaults that do, as the third value");
  CHECK(complaint(parameter{"b", {1, 2}}, parameter{"c", {3, 4}}, constraint{"b + c < 4"}) ==
        "f: g: the parameters' default values b=1 c=3 do not fulfil the constraint 'b + c < 4'; no "
        "values do fulfil all constraints: mend these or add values");
  CHECK(complaint(parameter{"b", {1, 2}}, constraint{"b > 0 and b < 3"}) ==
        "f: g: the constraint 'b > 0 and b < 3' cannot be read: there should be an operator before "
        "'and b < 3'; write && for and");
  CHECK(complaint(constraint{"b > 1"}, parameter{"b", {1, 2}, 2}).empty());
  CHECK(complaint_of([&](function& f) {
          f.add_variant("g", g, parameter{"b", {1}});
          f.add_variant("g", g, parameter{"b", {2}});
        }) == "f: two variants named g");
}

TEST_CASE("a parameter that there is not is named") {
  listener ear;
  function f(ear.cx);
  f.add_variant(
      "g", [](double, const parameters& p) { return static_cast<double>(p["d"]); },
      parameter{"b", {1, 2}}, parameter{"c", {3}});
  CHECK_THROWS_WITH(f(1.0), "a variant asks for its parameter d, but its parameters are b c");
}
