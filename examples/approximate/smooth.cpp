// A stencil that may leave out rows where that changes its result by at most 5 %.
//
//   smooth SEED CALLS           smooths so many fields
//   smooth --judge SEED CALLS   ... and prints for each the microseconds of the tuned and the exact
//                               function, the error, and what ran
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/measure/timer.hpp>
#include <fettle/variant.hpp>

#include "smooth.hpp"

using smoothing::field;

namespace {

template <typename Function>
double microseconds(const Function& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const fettle::timer clock;
    run();
    least = std::min(least, clock.seconds() * 1e6);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const bool judges = argc == 4 && std::strcmp(argv[1], "--judge") == 0;
  if (argc != 3 && !judges) {
    std::fprintf(stderr, "usage: %s [--judge] SEED CALLS\n", argv[0]);
    return 2;
  }
  fettle::context cx;
  fettle::code_variant<fettle::policy<"smooth">, void(const field&, std::span<float>)> smooth(cx);
  smooth.add_variant("exact", smoothing::smooth<1>);
  smooth.add_variant("every_2nd", smoothing::smooth<2>, fettle::approximate);
  smooth.add_variant("every_4th", smoothing::smooth<4>, fettle::approximate);
  smooth.add_variant("every_8th", smoothing::smooth<8>, fettle::approximate);
  smooth.add_input_feature("side", [](const field& in, auto&&) { return in.side; });
  smooth.add_input_feature("roughness", [](const field& in, auto&&) { return in.roughness(); });
  smooth.set_quality(smoothing::error, 0.05);

  std::mt19937_64 random(std::strtoull(argv[argc - 2], nullptr, 10));
  for (int call = 0; call < std::atoi(argv[argc - 1]); ++call) {
    const field in = field::draw(random);
    std::vector<float> out(in.value.size());
    if (!judges) {
      smooth(in, out);
      continue;
    }
    std::vector<float> exact(in.value.size());
    smooth(in, out);
    const double error = [&] {
      smoothing::smooth<1>(in, exact);
      return smoothing::error(exact, out);
    }();
    const auto ran = smooth.last_selection();
    const double tuned = microseconds([&] { smooth(in, out); });
    const double untuned = microseconds([&] { smoothing::smooth<1>(in, exact); });
    std::printf("%.3f %.3f %.6f %s\n", tuned, untuned, error, ran->variant.data());
  }
  return 0;
}
