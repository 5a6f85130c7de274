// A program that names its function by policy<"scored">, with the generated header or without it.
// Argument: N.
#include <cstdlib>

#include <fettle/variant.hpp>

#if defined(WITH_HEADER) && __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  auto& scored = fettle::tuned<"scored", double(int)>([](auto& f) {
    f.add_variant("rising", [](int n) { return 1.0 + n; });
    f.add_variant("falling", [](int n) { return 20.0 - n; });
    f.add_input_feature("n", [](int n) { return n; });
  });
  scored(std::atoi(argv[1]));
}
