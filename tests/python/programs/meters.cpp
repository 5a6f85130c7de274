// Two variants that differ in time and in memory, and a meter of the program's own. Argument: N.
// Prints what was chosen.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

namespace {

volatile long touched = 0;

/// Touches so many bytes of fresh memory, so many times.
void touch(std::size_t bytes, int times) {
  std::vector<char> all(bytes);
  for (int round = 0; round < times; ++round) {
    for (std::size_t i = 0; i < bytes; i += 4096) all[i] = static_cast<char>(round);
  }
  touched = touched + static_cast<long>(bytes / 4096) * times;
}

}  // namespace

int main(int, char** words) {
  const int n = std::atoi(words[1]);
  fettle::context shared;
  fettle::code_variant<fettle::tuning_policies::fill, std::tuple<int>> fill(shared);
  fill.add_variant("lavish", [](int size) { touch(std::size_t(size) << 22, 1); });
  fill.add_variant("frugal", [](int size) { touch(std::size_t(size) << 18, 400); });
  fill.add_input_feature("n", [](int size) { return size; });
  fill.add_meter("touches", "", [] { return static_cast<double>(touched); });
  fill(n);
  std::printf("%s\n", std::string(fill.last_selection()->variant).c_str());
}
