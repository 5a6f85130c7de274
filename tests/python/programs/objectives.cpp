// A function that reports seconds and joules. Arguments: N, and the objective that the program asks
// for, if any. Prints what was chosen.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

using several = fettle::measured<2>;

/// What a variant that draws so many watts reports.
several drawing(double watts, double seconds) { return {seconds, seconds * watts}; }

int main(int count, char** words) {
  const int n = std::atoi(words[1]);
  fettle::context shared;
  if (count > 2) shared.set_objective(words[2]);
  fettle::code_variant<fettle::tuning_policies::weigh, several(int)> weigh(shared);
  weigh.add_variant("waste", [](int size) { return drawing(400, 1e-3 * (3 + size)); });
  weigh.add_variant("quick", [](int size) { return drawing(300, 1e-3 * (5 + 0.5 * size)); });
  weigh.add_variant("cool", [](int size) { return drawing(80, 1e-3 * (1 + size)); });
  weigh.add_variant("blind", [](int) {
    return several{1.0, std::numeric_limits<double>::quiet_NaN()};  // no meter sees it
  });
  weigh.add_input_feature("n", [](int size) { return size; });
  weigh(n);
  std::printf("%s\n", std::string(weigh.last_selection()->variant).c_str());
}
