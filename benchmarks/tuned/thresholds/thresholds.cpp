// The programs of Breddam's thesis on threshold tuning as nested computations, on OpenMP: what
// every version of every nest takes on every data set. run.py tunes thresholds on this table.
//
//   PROGRAM [--only NAME]... [--most ELEMENTS] [--seconds S] [--check]
//
// --most: leaves out data sets with a nest of more elements. --seconds: for a nest (0.03). --check:
// compares the versions' results and times nothing.
#include <cstdlib>
#include <exception>
#include <string_view>

#include "backprop.hpp"
#include "bfast.hpp"
#include "heston.hpp"
#include "lavamd.hpp"
#include "locvolcalib.hpp"
#include "lud.hpp"
#include "nn.hpp"
#include "nw.hpp"
#include "option_pricing.hpp"
#include "pathfinder.hpp"
#include "srad.hpp"

namespace thresholds {

template <typename Program>
void run_program(bench& b, const std::vector<std::string>& only) {
  if (!only.empty() && std::find(only.begin(), only.end(), Program::name) == only.end()) return;
  b.program = Program::name;
  for (const data_set& data : Program::data()) {
    if (Program::elements(data) > b.most) continue;
    b.data = data;
    b.step = 0;
    Program::run(b);
  }
  std::printf("%s\n", Program::name);
  std::fflush(stdout);
}

template <typename... Programs>
void run_programs(bench& b, const std::vector<std::string>& only) {
  (run_program<Programs>(b, only), ...);
}

}  // namespace thresholds

int main(int count, char** values) {
  try {
    if (!examples::platform_is_there(thresholds::platform_type{})) {
      std::printf("thresholds: skipped, needs a GPU\n");
      return examples::skipped;
    }
    using namespace thresholds;
    bench b;
    std::vector<std::string> only;
    for (int i = 1; i < count; ++i) {
      const std::string_view word = values[i];
      const char* value = i + 1 < count ? values[i + 1] : nullptr;
      if (word == "--check") {
        b.times = false;
        b.most = 100'000;
      } else if (word == "--only" && value != nullptr) {
        only.emplace_back(values[++i]);
      } else if (word == "--most" && value != nullptr) {
        b.most = std::atoll(values[++i]);
      } else if (word == "--seconds" && value != nullptr) {
        b.seconds = std::atof(values[++i]);
      } else {
        throw fettle::error("usage: [--only NAME]... [--most ELEMENTS] [--seconds S] [--check]");
      }
    }
    b.record_platform();
    run_programs<nn, backprop, srad, pathfinder, nw, locvolcalib, bfast, lavamd, heston,
                 option_pricing, lud>(b, only);
    return b.failures() > 0 ? 1 : 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "thresholds: %s\n", problem.what());
    return 1;
  }
}
