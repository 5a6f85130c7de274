// One function with each option of a policy, in one program. Argument: N. Prints what was chosen.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
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

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int n = std::atoi(argv[1]);
  serve<policies::plain>(n);
  serve<policies::unconstrained>(n);
  serve<policies::next_best>(n);
  serve<policies::predicting>(n);
  serve<policies::elapsed>(n);
  serve<policies::larger>(n);
  serve<policies::exacting>(n);
  serve<policies::compiled_in>(n);
  serve<policies::parallel>(n);
  return 0;
}
