// A program of computations to tune: chain N. It reads and overwrites x: "halves" is x / 2 in
// place. Prints explain(p), and exits with 1 where serial loops disagree.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fettle/ndp.hpp>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

namespace ndp = fettle::ndp;

struct square {
  double operator()(double x) const { return x * x; }
};
struct next {
  double operator()(double x) const { return x + 1; }
};
struct half {
  double operator()(double x) const { return x / 2; }
};
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

int main(int count, char** values) {
  if (count != 2) {
    std::fputs("usage: chain N\n", stderr);
    return 2;
  }
  const auto n = static_cast<std::size_t>(std::atol(values[1]));
  const std::size_t l = 16;
  std::vector<double> x(n);
  std::vector<double> total(1);
  std::vector<double> sums((n + l - 1) / l);
  std::vector<double> prefix(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 + static_cast<double>(i % 5);
  const ndp::platform::openmp on;
  ndp::basic_program<ndp::platform::openmp> p;
  const auto all = ndp::make_sequence(x);
  const auto squares = p.add<"squares">(ndp::map(square{}, all));
  const auto nexts = p.add<"nexts">(ndp::map(next{}, squares));
  p.add<"total">(ndp::reduce(ndp::plus{}, nexts, 0.0), ndp::make_sequence(total));
  p.add<"prefix">(ndp::inclusive_scan(ndp::plus{}, nexts), ndp::make_sequence(prefix));
  p.add<"sums">(ndp::map(row_sum{}, ndp::split(squares, l)), ndp::make_sequence(sums));
  p.add<"halves">(ndp::map(half{}, all), all);
  p.execute<"chain">(on);
  std::fputs(ndp::explain(p).c_str(), stdout);
  p.execute<"chain">(on);

  double expected = 0;
  double first_row = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double once = (1 + static_cast<double>(i % 5)) / 2;
    expected += once * once + 1;
    if (i < l) first_row += once * once;
    if (std::getenv("FETTLE_TRAINING") == nullptr && !is_near(x[i], once / 2)) return 1;
  }
  if (std::getenv("FETTLE_TRAINING") != nullptr) return 0;  // which executes it more often
  const bool are_near = is_near(total[0], expected) && is_near(sums[0], first_row);
  return are_near && is_near(prefix[n - 1], expected) ? 0 : 1;
}
