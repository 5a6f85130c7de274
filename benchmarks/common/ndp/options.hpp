// The command line that the benchmark programs of the nested data-parallel layer share.
//
//   PROGRAM [--quick] [--kernels] [--only WORK]... [--largest N] [--matrices FILE] [--limit
//   SECONDS]
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/measure/timer.hpp>

#include "comparison.hpp"

namespace fettle_benchmarks {

struct options {
  bool quick = false;             // fewer inputs, less time on each
  bool kernels = false;           // every fixed kernel too
  std::vector<std::string> only;  // these works; none: all
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();  // inputs of at most N elements
  std::string matrices;  // the file that matrix_cache wrote
  double limit = 100;    // seconds after which no input is started
  fettle::timer since_start{};

  [[nodiscard]] bool wants(std::string_view work) const {
    return only.empty() || std::find(only.begin(), only.end(), work) != only.end();
  }
  [[nodiscard]] bool takes(std::int64_t elements) const { return elements <= largest; }
  [[nodiscard]] bool time_is_up() const { return since_start.seconds() > limit; }
};

/// Ends the program with a sentence where the command line is not understood.
[[nodiscard]] inline options parse_options(int count, char** arguments,
                                           std::string default_matrices) {
  options all;
  all.matrices = std::move(default_matrices);
  bool limited = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (name == "--quick") {
      all.quick = true;
    } else if (name == "--kernels") {
      all.kernels = true;
    } else if (value != nullptr && name == "--only") {
      all.only.emplace_back(arguments[++i]);
    } else if (value != nullptr && name == "--largest") {
      all.largest = std::atoll(arguments[++i]);
    } else if (value != nullptr && name == "--matrices") {
      all.matrices = arguments[++i];
    } else if (value != nullptr && name == "--limit") {
      all.limit = std::atof(arguments[++i]);
      limited = true;
    } else {
      std::fprintf(stderr,
                   "usage: %s [--quick] [--kernels] [--only WORK]... [--largest ELEMENTS] "
                   "[--matrices FILE] [--limit SECONDS]\n",
                   arguments[0]);
      std::exit(2);
    }
  }
  if (all.quick && !limited) all.limit = 30;
  return all;
}

}  // namespace fettle_benchmarks
