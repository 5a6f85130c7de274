// unroll: loops written out, and the factors of levels.
#include <vector>

#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/serial_scan.hpp>
#include <fettle/ndp/host/team/unroll.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace host = fettle::ndp::host::detail;
using fettle::ndp::index_t;

namespace {

/// Not associative: a wrong order is another result.
struct digits {
  constexpr double operator()(double before, double x) const { return before / 2 + x; }
};

static_assert(host::unroll_factors{}.here() == 0);
constexpr auto factors = host::unroll_factors::from(3, [](int k) { return 1 << k; });
static_assert(factors.here() == 1 && factors.below().here() == 2);
static_assert(factors.below().below().here() == 4);
static_assert(factors.below().below().below().here() == 0);

}  // namespace

TEST_CASE("every factor visits each index once, in order") {
  for (const int factor : {1, 2, 4, 8}) {
    for (const index_t count : {0, 1, 7, 8, 21}) {
      std::vector<index_t> seen;
      host::for_each_unrolled(index_t{5}, 5 + count, factor, [&](index_t i) { seen.push_back(i); });
      REQUIRE(seen.size() == static_cast<std::size_t>(count));
      for (index_t k = 0; k < count; ++k) REQUIRE(seen[static_cast<std::size_t>(k)] == 5 + k);
    }
  }
}

TEST_CASE("loops in order give the same whatever the factor") {
  std::vector<double> x;
  for (int i = 0; i < 45; ++i) x.push_back(i * 7 % 11);
  const auto in = ndp::make_sequence(x);
  const double sum = host::fold_in_order(digits{}, in, 2, 45, 1.0);
  std::vector<double> prefixes(45);
  host::scan_in_order<true>(digits{}, in, 0, 45, 1.0, ndp::make_sequence(prefixes));
  for (const int factor : {1, 2, 4, 8}) {
    CHECK(host::fold_in_order(digits{}, in, 2, 45, 1.0, factor) == sum);
    std::vector<double> y(45);
    const double last =
        host::scan_in_order<true>(digits{}, in, 0, 45, 1.0, ndp::make_sequence(y), factor);
    CHECK(y == prefixes);
    CHECK(last == prefixes.back());
    host::assign_in_order(ndp::make_sequence(y), in, 0, 45, factor);
    CHECK(y == x);
  }
}
