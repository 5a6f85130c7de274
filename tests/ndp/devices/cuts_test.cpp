// Where computations are cut, and which number of devices is estimated to be best.
#include <algorithm>
#include <string>
#include <vector>

#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/scaling.hpp>

#include "ndp/devices/cases.hpp"
#include "support/catch.hpp"

using namespace devices_test;
namespace devices = fettle::ndp::devices;

TEST_CASE("equal cuts") {
  for (const index_t n : sizes) {
    for (int parts = 1; parts <= 8; ++parts) {
      const auto cuts = devices::equal_cuts(n, parts);
      REQUIRE((cuts.begin(0) == 0 && cuts.begin(parts) == n));
      for (int p = 0; p < parts; ++p) {
        REQUIRE(cuts.size(p) >= n / parts);
        REQUIRE(cuts.size(p) <= n / parts + 1);
      }
    }
  }
}

TEST_CASE("cuts by work are off by no more than a row") {
  for (const index_t rows : sizes) {
    for (const bool skewed : {false, true}) {
      const auto offsets = offsets_of(rows, skewed);
      const auto row_end = [&](index_t row) -> index_t {
        return offsets[static_cast<std::size_t>(row) + 1];
      };
      index_t longest = 0;
      for (std::size_t row = 1; row < offsets.size(); ++row) {
        longest = std::max<index_t>(longest, offsets[row] - offsets[row - 1]);
      }
      for (int parts = 1; parts <= 8; ++parts) {
        const auto cuts = devices::work_cuts(row_end, rows, parts);
        REQUIRE((cuts.begin(0) == 0 && cuts.begin(parts) == rows));
        for (int p = 0; p < parts; ++p) {
          REQUIRE(cuts.size(p) >= 0);
          const index_t work = cuts.size(p) + offsets[static_cast<std::size_t>(cuts.begin(p + 1))] -
                               offsets[static_cast<std::size_t>(cuts.begin(p))];
          REQUIRE(work <= (rows + offsets.back()) / parts + longest + 2);
        }
      }
    }
  }
}

TEST_CASE("a small computation stays on one device") {
  constexpr devices::scaling_rates rates{.bytes = 1e6, .link = 1e5, .call = 5, .part = 5};
  STATIC_REQUIRE(devices::best_count(rates, {1e6, 0}, 4) == 1);
  STATIC_REQUIRE(devices::best_count(rates, {1e9, 0}, 4) == 4);
  // All of it lies on one device, whose link is slower than half of its memory.
  STATIC_REQUIRE(devices::best_count(rates, {1e9, 1e9}, 2) == 1);
  const std::string text = devices::scaling_text(rates, {1e9, 0}, 2, "device", "devices");
  REQUIRE(text ==
          "  1 device: 1005.0 us, 1.00 of one\n  2 devices: 515.0 us, 1.95 of one\n"
          "  by size: from 1 KiB 1, from 32 MiB 2\n");
}
