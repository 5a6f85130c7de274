// A project that uses Fettle, as small as it gets: two ways to sum, one context, one call. Prints
// the sum and ends with 0 if the call ran a variant and gave the right answer.
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include <fettle/variant.hpp>

int main() {
  double sum = 0;
  const std::vector<double> values{1, 2, 3, 4};

  fettle::context cx;
  fettle::code_variant<fettle::policy<"sum">, std::tuple<const std::vector<double>&>> total(cx);
  total.add_variant("forward", [&](const std::vector<double>& v) {
    sum = std::accumulate(v.begin(), v.end(), 0.0);
  });
  total.add_variant("backward", [&](const std::vector<double>& v) {
    sum = std::accumulate(v.rbegin(), v.rend(), 0.0);
  });
  total(values);

  std::printf("sum %g\n", sum);
  return sum == 10 ? 0 : 1;
}
