// A function whose variant has a parameter: more lanes are faster and draw more. Arguments: N, and
// the objective that the program asks for, if any. Prints what was chosen.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

using several = fettle::measured<2>;

int main(int count, char** words) {
  const int n = std::atoi(words[1]);
  fettle::context shared;
  if (count > 2) shared.set_objective(words[2]);
  fettle::code_variant<fettle::tuning_policies::scale, several(int)> scale(shared);
  scale.add_variant("plain", [](int size) {
    const double seconds = 1e-3 * (1 + 3 * size);
    return several{seconds, 80 * seconds};
  });
  scale.add_variant(
      "wide",
      [](int size, int lanes) {
        const double seconds = 1e-3 * (3 + lanes / 8.0 + 3.0 * size / lanes);
        return several{seconds, seconds * (60 + 12.0 * lanes * lanes)};
      },
      fettle::parameter("lanes", {1, 2, 4, 8, 16}));
  scale.add_input_feature("n", [](int size) { return size; });
  scale(n);
  std::printf("%s\n", std::string(scale.last_selection()->variant).c_str());
}
