// One function with each option of a policy, in one program. Argument: N. Prints what was chosen.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <tuple>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

namespace policies = fettle::tuning_policies;

/// A function of one number: "small" is best up to 8, "picky" above, where it must be even.
template <typename Policy>
void serve(int n) {
  fettle::context shared;
  fettle::code_variant<Policy, std::tuple<int>> function(shared);
  function.add_variant("small", [](int size) {
    std::this_thread::sleep_for(std::chrono::milliseconds(8));
    return size * 1e-3;
  });
  function.add_variant("large", [](int) { return 8.5e-3; });
  function.add_variant("picky", [](int size) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    return size > 8 ? 1e-3 : 9e-3;
  });
  function.add_constraint("picky", [](int size) { return size % 2 == 0; });
  function.add_input_feature("n", [](int size) { return size; });
  function.add_input_feature("half", [](int size) { return size / 2; });
  try {
    function.fix_inputs(n);
    function();
    const std::string chosen(function.last_selection()->variant);
    std::printf("%s %s\n", std::string(Policy::name).c_str(), chosen.c_str());
  } catch (const std::exception& problem) {
    std::printf("%s exception: %s\n", std::string(Policy::name).c_str(), problem.what());
  }
}

/// Solvers of y = n; "quick" is best, but diverges where 3 divides n, which no feature tells.
template <typename Policy>
void solve(int n) {
  fettle::context shared;
  fettle::code_variant<Policy, std::tuple<int, int&>> function(shared, [](int&, int& y) { y = 0; });
  const auto add = [&](const char* name, double seconds, bool diverges) {
    function.add_variant(name, [=](int size, int& y) {
      const bool diverged = diverges && size % 3 == 0;
      if (diverged) std::this_thread::sleep_for(std::chrono::milliseconds(3));
      y += diverged ? -1 : size;
      return diverged ? std::numeric_limits<double>::infinity() : seconds;
    });
  };
  add("sure", 9e-3, false);
  add("steady", 5e-3, false);
  add("quick", 2e-3, true);
  function.add_input_feature("half", [](int size, int) { return size / 2; });
  int y = 0;
  function(n, y);
  std::printf("%s %s%s\n", std::string(Policy::name).c_str(),
              std::string(function.last_selection()->variant).c_str(), y == n ? " solved" : "");
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int n = std::atoi(argv[1]);
  serve<policies::plain>(n);
  serve<policies::unconstrained>(n);
  serve<policies::next_best>(n);
  serve<policies::predicting>(n);
  serve<policies::elapsed>(n);
  serve<policies::larger>(n);
  solve<policies::solving>(n);
  serve<policies::exacting>(n);
  serve<policies::compiled_in>(n);
  serve<policies::parallel>(n);
  return 0;
}
