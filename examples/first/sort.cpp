// A first program with Fettle: sorting has three implementations here, and which one is best
// depends on how many numbers there are and on how sorted they are already.
//   sort N KIND     sorts N numbers (KIND: random, ascending, nearly) and prints how
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fettle/variant.hpp>
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

#include "algorithms.hpp"

auto& sort = fettle::tuned<"sort", void(numbers&)>([](auto& f) {
  f.add_variant("introsort", [](numbers& v) { std::sort(v.begin(), v.end()); });
  f.add_variant("insertion", insertion_sort);
  f.add_variant("radix", radix_sort);
  f.add_input_feature("size", [](const numbers& v) { return v.size(); });
  f.add_input_feature("ascents", sampled_ascents);
  f.set_reset(fettle::restore_arguments{});  // training only: each variant starts afresh
});

numbers make(std::size_t n, const std::string& kind) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  numbers v(n);
  for (std::uint32_t& x : v) x = static_cast<std::uint32_t>(random());
  if (kind == "random") return v;
  std::sort(v.begin(), v.end());
  if (kind == "nearly") {
    for (std::size_t swaps = n / 100; swaps > 0; --swaps) {
      const std::size_t i = random() % (n - 1);
      std::swap(v[i], v[i + 1]);
    }
  }
  return v;
}

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: sort N random|ascending|nearly\n");
    return 2;
  }
  numbers v = make(std::strtoul(arguments[1], nullptr, 10), arguments[2]);

  sort(v);
  std::printf("%zu numbers by %s, %s\n", v.size(),
              std::string(sort.last_selection()->variant).c_str(),
              std::is_sorted(v.begin(), v.end()) ? "sorted" : "NOT SORTED");
}
