// A function whose variants report simulated seconds and joules at the clock that the stand-in for
// NVML has (FETTLE_STAND_IN_CLOCKS): one takes as long at any clock, one is twice as fast at twice
// the clock. Arguments: N, and "kill" to end without a word, or "wait". Prints what was chosen, and
// the clock.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

using several = fettle::measured<2>;

namespace {

double clock_mhz() {
  double mhz = 562;
  const char* const path = std::getenv("FETTLE_STAND_IN_CLOCKS");
  if (std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "r")) {
    if (std::fscanf(file, "%lf", &mhz) != 1) mhz = 562;
    std::fclose(file);
  }
  return mhz;
}

/// `bound` of the work waits for the core, the rest for memory.
several at_clock(double seconds, double bound, double watts) {
  const double speed = clock_mhz() / 562;
  const double voltage = speed < 1.2 ? 1.0 : 1.0 + 1.5 * (speed - 1.2);
  const double took = seconds * (1 - bound + bound / speed);
  return {took, took * (25 + watts * speed * voltage * voltage)};
}

}  // namespace

int main(int count, char** words) {
  const int n = std::atoi(words[1]);
  fettle::context shared;
  fettle::code_variant<fettle::tuning_policies::work, several(int)> work(shared);
  work.add_variant("stream", [](int size) { return at_clock(1e-3 * (6 + size), 0.0, 60); });
  work.add_variant("compute", [](int size) { return at_clock(2.6e-3 * size, 0.9, 50); });
  work.add_input_feature("n", [](int size) { return size; });
  work(n);
  std::printf("%s %.0f\n", std::string(work.last_selection()->variant).c_str(), clock_mhz());
  std::fflush(stdout);
  if (count > 2 && std::string(words[2]) == "wait") pause();
  if (count > 2) std::raise(SIGKILL);
}
