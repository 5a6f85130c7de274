// Where computations are cut, and which number of devices is estimated to be best.
#include <algorithm>
#include <string>
#include <vector>

#include <fettle/ndp/devices/cuts.hpp>
#include <fettle/ndp/devices/placement.hpp>
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
  constexpr devices::detail::scaling_rates rates{
      .bytes = 1e6, .link = 1e5, .call = 5, .part = 5, .step = 3, .wait = 20};
  REQUIRE(devices::detail::best_count(rates, {.bytes = 1e6}, 4) == 1);
  REQUIRE(devices::detail::best_count(rates, {.bytes = 1e9}, 4) == 4);
  const std::string text =
      devices::detail::scaling_text(rates, {.bytes = 1e9}, 2, "device", "devices");
  REQUIRE(text ==
          "  1 device: 1005.0 us, 1.00 of one\n  2 devices: 515.0 us, 1.95 of one\n"
          "  by size: from 1 KiB 1, from 32 MiB 2\n");
  // Waits, steps and what is read a second time count.
  const devices::detail::scaling_problem scan{.bytes = 1e9,
                                              .more = {.steps = 2, .waits = 1, .again = 4e8}};
  REQUIRE(devices::detail::estimated_us(rates, scan, 1) == 1005);
  REQUIRE(devices::detail::estimated_us(rates, scan, 2) == 5 + 2 * 5 + 2 * 3 + 20 + 700);
  REQUIRE(devices::detail::estimated_us(rates, scan, 4) == 5 + 4 * 5 + 2 * 3 + 20 + 350);
}

TEST_CASE("what a computation reads through links decides, too") {
  constexpr devices::detail::scaling_rates rates{.bytes = 1e6, .link = 1e5, .call = 5, .part = 5};
  const auto linked = [](double bytes, const std::vector<int>& owners,
                         devices::detail::read_order order =
                             devices::detail::read_order::by_parts) {
    devices::detail::link_traffic traffic(2);
    traffic.add(bytes, owners, order);
    return std::vector<double>{traffic.busiest(1), traffic.busiest(2)};
  };
  using numbers = std::vector<double>;
  // Divided as the computation is; all on the first device; on the second; on the host.
  REQUIRE(linked(1000, {0, 0, 1, 1}) == numbers{500, 0});
  REQUIRE(linked(1000, {0, 0, 0, 0}) == numbers{0, 500});
  REQUIRE(linked(1000, {1, 1, 1, 1}) == numbers{1000, 500});
  REQUIRE(linked(1000, std::vector<int>(4, devices::detail::no_device)) == numbers{1000, 1000});
  // Gathered from anywhere.
  REQUIRE(linked(1000, {0, 0, 1, 1}, devices::detail::read_order::any) == numbers{500, 250});
  REQUIRE(linked(1000, {0, 0, 0, 0}, devices::detail::read_order::any) == numbers{0, 500});
  devices::detail::link_traffic both(2);
  both.add(1000, {0, 0}, devices::detail::read_order::by_parts);
  both.add(1000, {0, 1}, devices::detail::read_order::by_parts);
  REQUIRE((both.busiest(1) == 500 && both.busiest(2) == 500));

  REQUIRE(devices::detail::best_count(rates, {.bytes = 1e9, .linked = {0, 5e8}}, 2) == 1);
  REQUIRE(devices::detail::best_count(rates, {.bytes = 1e9, .linked = {5e8, 0}}, 2) == 2);
  // Small, but half of it would come through the link.
  REQUIRE(devices::detail::best_count(rates, {.bytes = 3e6, .linked = {1.5e6, 0}}, 2) == 2);
  REQUIRE(devices::detail::best_count(rates, {.bytes = 1e6, .linked = {5e5, 0}}, 2) == 1);
}

TEST_CASE("small arrays lie on the first device") {
  const index_t least = devices::detail::least_divided_count;
  const auto small = devices::detail::array_cuts(least - 1, 4);
  REQUIRE((small.size(0) == least - 1 && small.begin(4) == least - 1));
  for (int p = 1; p < 4; ++p) REQUIRE(small.size(p) == 0);
  REQUIRE(devices::detail::array_cuts(least, 4).size(3) == least / 4);
}
