// Looks at made-up sensors: what a window of them comes to.
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <fettle/measure/energy_window.hpp>

#include "support/catch.hpp"

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a counter is divided by the time between two of its steps") {
  fettle::energy_window window;
  for (int i = 0; i <= 10; ++i) {  // 100 W, a step each 0.3 s
    const double seconds = 0.1 * i;
    window.add(seconds, {100.0 * 0.3 * std::floor(seconds / 0.3 + 1e-9), none});
  }
  const fettle::energy_reading found = window.reading();
  REQUIRE(found);
  CHECK(found.method == "energy counter");
  CHECK(found.joules == approx(100.0));
  CHECK(found.watts == approx(100.0));
  CHECK(found.resolution_j == approx(30.0));
  CHECK(std::isnan(found.max_watts));
}

TEST_CASE("a counter that begins anew goes on where its range is known") {
  fettle::energy_window known(1000.0);
  fettle::energy_window unknown;
  for (int i = 0; i <= 20; ++i) {
    const double joules = std::fmod(950.0 + 10.0 * i, 1000.0);
    known.add(0.1 * i, {joules, none});
    unknown.add(0.1 * i, {joules, none});
  }
  CHECK(known.reading().joules == approx(200.0));
  CHECK_FALSE(unknown.reading());
}

TEST_CASE("the power is integrated where the counter does not move") {
  fettle::energy_window window;
  for (int i = 0; i <= 20; ++i) window.add(0.1 * i, {7.0, i % 2 == 0 ? 90.0 : 110.0});
  const fettle::energy_reading found = window.reading();
  REQUIRE(found);
  CHECK(found.method == "integral of power");
  CHECK(found.note == "the energy counter does not move");
  CHECK(found.joules == approx(200.0));
  CHECK(found.max_watts == 110.0);
}

TEST_CASE("counter and power that contradict each other are told") {
  fettle::energy_window window;
  for (int i = 0; i <= 20; ++i) window.add(0.1 * i, {18.7 * i, i % 2 == 0 ? 320.0 : 334.0});
  const fettle::energy_reading found = window.reading();
  REQUIRE(found);
  CHECK(found.joules == approx(374.0));
  CHECK(found.note == "the power sensor says 654 J");
}

TEST_CASE("what a sensor cannot see is refused, not estimated") {
  const auto refused = [](const fettle::energy_window& window) {
    const fettle::energy_reading found = window.reading();
    CHECK_FALSE(found);
    CHECK(std::isnan(found.joules));
    CHECK(std::isnan(found.watts));
    return found.refused;
  };
  CHECK(refused(fettle::energy_window()).starts_with("the window of 0 s is shorter than 1 s"));
  fettle::energy_window brief;
  for (int i = 0; i <= 9; ++i) brief.add(0.1 * i, {10.0 * i, none});
  CHECK(refused(brief).starts_with("the window of 0.9 s is shorter than 1 s"));
  fettle::energy_window blind;
  for (int i = 0; i <= 20; ++i) blind.add(0.1 * i, {none, none});
  CHECK(refused(blind) == "the sensor says neither energy nor power");
  fettle::energy_window still;
  for (int i = 0; i <= 20; ++i) still.add(0.1 * i, {5.0, none});
  CHECK(refused(still) == "the energy counter does not move, and no power is read");
  fettle::energy_window frozen;
  for (int i = 0; i <= 20; ++i) frozen.add(0.1 * i, {5.0, 80.0});
  CHECK(refused(frozen).ends_with("the sensor is frozen"));
}
