// Version 4 of a description: approximate variants, what admits them, and what is wrong with that.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/model/description_reader.hpp>
#include <fettle/model/error_gate.hpp>
#include <fettle/model/model_directory.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"
#include "support/scratch.hpp"

using namespace fettle::model;

namespace {

/// Three classes that a tree ranks rough, coarse, exact; further lines after these.
test::split_model ranked(const std::vector<std::string>& lines) {
  test::split_model model;
  model.variants = {"exact", "coarse", "rough"};
  model.features = {"x", "y"};
  model.below = model.above = {1.0, 0.5, 0.0};
  model.further = lines;
  return model;
}

const std::vector<std::string> good{"approximate coarse rough", "bound 0.05",
                                    "error_input log y 0 4", "admit coarse -1 0.5",
                                    "admit rough -0.25 0.5"};

std::string problem_of(std::vector<std::string> lines, std::size_t place, const std::string& to) {
  lines[place] = to;
  const test::scratch folder;
  try {
    test::write_model(folder.path(), ranked(lines));
    static_cast<void>(load_model_directory(folder / "f"));
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the gate takes the highest ranked class that may run") {
  const test::scratch folder;
  test::write_model(folder.path(), ranked(good));
  const loaded_model model = load_model_directory(folder / "f");
  CHECK(model.errors.bound == 0.05);
  CHECK(model.used_features == std::vector<bool>{true, true});
  const error_gate gate(model);
  CHECK(!gate.is_approximate(0));
  CHECK(gate.is_approximate(2));
  const auto chosen = [&](double y, double tightened = 0.0) {
    const std::vector<double> features{5.0, y};
    return gate.choice(model.predictor, features, model.predictor.decide(features).variant,
                       [=](std::size_t) { return tightened; });
  };
  CHECK(chosen(1.0) == 2);            // ln y = 0: -0.25 - 0.5
  CHECK(chosen(std::exp(3.5)) == 1);  // rough: -0.25 + 0.375 > 0
  CHECK(chosen(std::exp(3.5), 0.7) == 0);
  CHECK(chosen(std::exp(4.5)) == 0);  // beyond what the error model has seen
  CHECK(chosen(0.0) == 0);            // has no logarithm
  CHECK(gate.limit(2, gate.known(std::vector<double>{5.0, 1.0})) == -0.75);
  const error_gate stricter(model, {true, true, true});
  CHECK(stricter.choice(model.predictor, std::vector<double>{5.0, std::exp(3.99)}, 0,
                        [](std::size_t) { return 1.0; }) == std::nullopt);
}

TEST_CASE("what is wrong with approximate variants is said") {
  CHECK(problem_of(good, 1, "bound 0.1").empty());
  CHECK(has(problem_of(good, 0, "approximate coarse rogh"), "'rogh' is none of the variants"));
  CHECK(has(problem_of(good, 0, "approximate coarse rough exact"),
            "the default 'exact' is approximate"));
  CHECK(has(problem_of(good, 0, "approximate coarse"), "'rough' is of none of the approximate"));
  CHECK(has(problem_of(good, 1, "bound -1"), "the bound is -1"));
  CHECK(has(problem_of(good, 2, "error_input log z 0 4"), "'z' is none of the features"));
  CHECK(
      has(problem_of(good, 3, "admit coarse -1"), "'coarse' has 0 slopes, the error model has 1"));
  CHECK(has(problem_of(good, 3, "admit rough -1 1"), "two lines 'admit' for 'rough'"));
  CHECK(has(problem_of(good, 3, "admit coarse inf 1"), "the constant"));
}
