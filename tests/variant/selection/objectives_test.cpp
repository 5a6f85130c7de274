// Which of several trained objectives a function goes by.
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>
#include <fettle/variant/selection/objectives.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

using test::environment_variable;
using test::scratch;
using test::split_model;
using test::write_model;

/// Models that choose "low" by default, and "high" for the objective eco.
void write_both(const std::string& directory) {
  write_model(directory, {.below = {0.0, 1.0}, .above = {0.0, 1.0}});
  split_model fast{.below = {0.0, 1.0}, .above = {0.0, 1.0}};
  fast.folder = "f/objective-fast";
  write_model(directory, fast);
  split_model eco{.below = {1.0, 0.0}, .above = {1.0, 0.0}};
  eco.folder = "f/objective-eco";
  write_model(directory, eco);
}

struct plain {
  static constexpr std::string_view name = "f";
};
struct thrifty {
  static constexpr std::string_view name = "f";
  static constexpr std::string_view objective = "eco";
};

/// What a function with this policy runs, and the first warning.
template <typename Policy>
std::string chosen(const std::string& directory, const std::string& objective = "") {
  std::string warning;
  fettle::context cx({directory,
                      [&](std::string_view text) {
                        if (warning.empty()) warning = text;
                      },
                      false});
  cx.set_objective(objective);
  fettle::code_variant<Policy, std::tuple<double>> f(cx);
  f.add_variant("low", [](double) { return 1.0; });
  f.add_variant("high", [](double) { return 2.0; });
  f.add_input_feature("x", [](double x) { return x; });
  const std::string name(f.select(5.0).variant);
  return warning.empty() ? name : name + ": " + warning;
}

}  // namespace

TEST_CASE("an objective is picked by the policy, the context and the environment") {
  const scratch folder;
  write_both(folder.path());
  CHECK(chosen<plain>(folder.path()) == "low");
  CHECK(chosen<thrifty>(folder.path()) == "high");
  CHECK(chosen<plain>(folder.path(), "eco") == "high");
  CHECK(chosen<thrifty>(folder.path(), "fast") == "low");
  const environment_variable asked("FETTLE_OBJECTIVE", "eco");
  CHECK(chosen<plain>(folder.path(), "fast") == "high");
}

TEST_CASE("a function that was trained for one objective is not concerned") {
  const scratch folder;
  write_model(folder.path(), {.below = {1.0, 0.0}, .above = {1.0, 0.0}});
  CHECK(chosen<plain>(folder.path(), "eco") == "high");
  CHECK(fettle::detail::trained_objectives(folder / "f").empty());
  CHECK(fettle::detail::trained_objectives(folder / "g").empty());
}

TEST_CASE("an objective that was not trained is named, with those that were") {
  const scratch folder;
  write_both(folder.path());
  const std::string found = chosen<plain>(folder.path(), "ecco");
  INFO(found);
  CHECK(found.starts_with("low: f: there is no model for the objective 'ecco', but for "));
  CHECK(found.find("but for eco fast; name") != std::string::npos);
  CHECK(found.find("The default variant low runs meanwhile") != std::string::npos);
  std::filesystem::remove(folder / "f/objective-eco/model.txt");
  CHECK(chosen<plain>(folder.path(), "eco").find("f/objective-eco/model.txt") != std::string::npos);
}
