// Every transposition in place against the definition, for all small shapes and some large ones.
#include "../../examples/transpose/skinny.hpp"
#include "../../examples/transpose/square.hpp"
#include "support/catch.hpp"

namespace {

using transpose::index;

/// Transposes element numbers; the first wrong element, or -1.
template <class Permute>
index first_wrong(index m, index n, const Permute& permute) {
  std::vector<double> a(static_cast<std::size_t>(m * n));
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<double>(k);
  permute(a.data(), m, n);
  for (index i = 0; i < m; ++i)
    for (index j = 0; j < n; ++j)
      if (a[static_cast<std::size_t>(j * m + i)] != static_cast<double>(i * n + j))
        return i * n + j;
  return -1;
}

void check(index m, index n) {
  INFO(m << " x " << n);
  REQUIRE(first_wrong(m, n, [](auto* d, index r, index c) { transpose::c2r(d, r, c); }) == -1);
  REQUIRE(first_wrong(m, n, [](auto* d, index r, index c) { transpose::r2c(d, r, c); }) == -1);
  if (n <= transpose::most_skinny)
    REQUIRE(first_wrong(m, n, [](auto* d, index r, index c) { transpose::skinny_c2r(d, r, c); }) ==
            -1);
  if (m <= transpose::most_skinny)
    REQUIRE(first_wrong(m, n, [](auto* d, index r, index c) { transpose::skinny_r2c(d, r, c); }) ==
            -1);
  if (m == n)
    REQUIRE(first_wrong(m, n, [](auto* d, index r, index) { transpose::square_blocks(d, r); }) ==
            -1);
}

}  // namespace

TEST_CASE("transposes matrices of all small shapes") {
  for (index m = 0; m <= 24; ++m)
    for (index n = 0; n <= 24; ++n) check(m, n);
}

TEST_CASE("transposes skinny, square and parallel sizes") {
  for (const index n : {1, 2, 7, 32, 63, 64}) {
    check(2999, n);
    check(n, 2999);
    check(n * 40, n);
  }
  check(301, 301);
  check(256, 384);
  check(331, 307);
}
