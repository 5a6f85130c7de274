// A function of the input's size whose variants have parameters; what they return is their metric,
// worked out instead of measured. tiles N [what goes wrong].
//   plain                       0.5 + n / 50
//   tiled tile=T unroll=U       1 + 0.2 |log2 T - n / 20| + 0.05 |log2 U - 1|
//   odd step=S                  9, whatever S is
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

struct input {
  double n;
  std::string fault;
};

double tiled(const input& in, const fettle::parameters& p) {
  if (in.fault == "crash" && p["tile"] == 8) std::abort();
  if (in.fault == "throw" && p["unroll"] == 4) throw 1;
  const double tile = std::log2(static_cast<double>(p["tile"]));
  const double unroll = std::log2(static_cast<double>(p["unroll"]));
  return 1.0 + 0.2 * std::fabs(tile - in.n / 20.0) + 0.05 * std::fabs(unroll - 1.0);
}

int main(int count, char** arguments) {
  const input in{std::atof(arguments[1]), count > 2 ? arguments[2] : ""};
  fettle::context cx;
  fettle::code_variant<fettle::tuning_policies::work, std::tuple<const input&>> work(cx);
  work.add_variant("plain", [](const input& i) { return 0.5 + i.n / 50.0; });
  work.add_variant("tiled", tiled, fettle::parameter{"tile", {1, 2, 4, 8, 16, 32, 64}, 4},
                   fettle::parameter{"unroll", {1, 2, 4, 8}},
                   fettle::constraint{"tile * unroll <= 128"});
  work.add_variant("odd", [](const input&, int) { return 9.0; }, fettle::parameter{"step", {1, 3}});
  work.add_input_feature("n", [](const input& i) { return i.n; });
  const double metric = work(in);
  std::printf("%s %g\n", std::string(work.last_selection()->variant).c_str(), metric);
}
