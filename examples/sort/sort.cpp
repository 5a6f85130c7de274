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

#include "algorithms.hpp"

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
  const numbers input = make(std::strtoul(arguments[1], nullptr, 10), arguments[2]);

  fettle::context cx;
  fettle::code_variant<fettle::policy<"sort">, void(numbers&)> sort(cx);
  sort.add_variant("introsort", [](numbers& v) { std::sort(v.begin(), v.end()); });
  sort.add_variant("insertion", insertion_sort);
  sort.add_variant("radix", radix_sort);
  sort.add_input_feature("size", [](const numbers& v) { return v.size(); });
  sort.add_input_feature("ascents", sampled_ascents);
  sort.set_reset([&](numbers& v) { v = input; });  // training only: each variant starts afresh

  numbers v = input;
  sort(v);
  std::printf("%zu numbers by %s, %s\n", v.size(),
              std::string(sort.last_selection()->variant).c_str(),
              std::is_sorted(v.begin(), v.end()) ? "sorted" : "NOT SORTED");
}
