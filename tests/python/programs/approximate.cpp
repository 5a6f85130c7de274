// A function with an approximate variant, whose error falls with its input. `approximate FROM
// CALLS` calls it on so many inputs and prints what ran; with DRIFT errors grow by that much a
// call.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/variant.hpp>

namespace {

double drifted = 0;

double slowly(double x, int rounds) {
  double sum = 0;
  for (int i = 0; i < rounds; ++i) sum += std::sqrt(x + i);
  return sum > 0 ? x : 0;
}

}  // namespace

int main(int argc, char** argv) {
  fettle::context cx;
  fettle::code_variant<fettle::policy<"approximate">, double(double)> f(cx);
  f.add_variant("exact", [](double x) { return slowly(x, 20000); });
  f.add_variant(
      "rough", [](double x) { return slowly(x, 2000) * (1 + 1 / x + drifted); },
      fettle::approximate);
  f.add_input_feature("x", [](double x) { return x; });
  if (std::getenv("WITHOUT_BOUND") == nullptr) {
    f.set_quality([](double exact, double out) { return std::fabs(exact - out) / exact; }, 0.05);
  }
  const double from = std::atof(argv[1]);
  const int calls = std::atoi(argv[2]);
  const double drift = argc > 3 ? std::atof(argv[3]) : 0;
  for (int call = 0; call < calls; ++call) {
    const double x = from * std::exp(0.2 * call);
    const double found = f(drift > 0 ? from : x);
    std::printf("%s%s", found == (drift > 0 ? from : x) ? "exact" : "rough",
                call + 1 < calls ? " " : "\n");
    drifted += drift;
  }
}
