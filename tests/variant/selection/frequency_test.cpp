// Variants at clocks, by the stand-in for NVML: no test touches a real device.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <fettle/variant.hpp>
#include <fettle/variant/clocks.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace {

using test::environment_variable;
using test::scratch;
using test::split_model;
using test::write_model;

/// "low" by default; with clocks "low@745MHz" to 10, "high@875MHz" beyond.
void write_both(const std::string& directory) {
  write_model(directory, {.below = {0.0, 1.0}, .above = {0.0, 1.0}});
  split_model clocked{.below = {0.0, 1.0}, .above = {1.0, 0.0}};
  clocked.folder = "f/frequency";
  clocked.variants = {"low@745MHz", "high@875MHz"};
  write_model(directory, clocked);
}

struct tuned {
  static constexpr std::string_view name = "f";
  using clock_control = fettle::gpu_clocks;
};
struct tuned_and_set : tuned {
  static constexpr bool sets_clocks = true;
};

std::string clock_of(const std::string& file) {
  std::string mhz;
  std::ifstream(file) >> mhz;
  return mhz;
}

/// What a function with this policy selects for x, then runs, and the clock then.
template <typename Policy>
std::string chosen(const std::string& directory, double x, std::optional<bool> allowed = {}) {
  std::string warning;
  fettle::context cx({directory, [&](std::string_view text) { warning = text; }, false});
  if (allowed) cx.set_frequency(*allowed);
  fettle::code_variant<Policy, std::tuple<double>> f(cx);
  std::string ran;
  f.add_variant("low", [&](double) { ran = "low"; });
  f.add_variant("high", [&](double) { ran = "high"; });
  f.add_input_feature("x", [](double value) { return value; });
  f(x);
  const std::string name(f.last_selection()->variant);
  return ran + " as " + name + (warning.empty() ? "" : ": " + warning);
}

}  // namespace

TEST_CASE("a clock is set before the variant where it is asked for, and only there") {
  const scratch folder;
  write_both(folder.path());
  const std::string clocks = folder / "clocks";
  std::ofstream(clocks) << "562 0 0\n";
  const environment_variable library("FETTLE_NVML", FETTLE_STAND_IN_NVML);
  const environment_variable state("FETTLE_STAND_IN_CLOCKS", clocks.c_str());
  CHECK(chosen<tuned>(folder.path(), 1.0) == "low as low");
  CHECK(clock_of(clocks) == "562");
  {
    const environment_variable asked("FETTLE_FREQUENCY", "maybe");
    CHECK(chosen<tuned>(folder.path(), 1.0).find("is neither 1, which lets calls set") !=
          std::string::npos);
  }
  CHECK(chosen<tuned_and_set>(folder.path(), 1.0, false) == "low as low");
  CHECK(clock_of(clocks) == "562");
  CHECK(chosen<tuned>(folder.path(), 20.0, true) == "high as high@875MHz");
  CHECK(clock_of(clocks) == "875");
  // Within the time in which the last change has not paid yet the clock stays.
  CHECK(chosen<tuned_and_set>(folder.path(), 1.0) == "low as low@745MHz");
  std::filesystem::remove_all(folder / "f/frequency");
  CHECK(chosen<tuned_and_set>(folder.path(), 1.0) == "low as low");
}
