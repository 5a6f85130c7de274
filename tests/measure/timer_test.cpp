#include <fettle/measure/timer.hpp>

#include "support/catch.hpp"

TEST_CASE("the clock never goes back and restarts from zero") {
  fettle::timer clock;
  double last = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double now = clock.seconds();
    REQUIRE(now >= last);
    last = now;
  }
  while (clock.seconds() <= 1e-6) {
  }
  const double before = clock.seconds();
  clock.restart();
  CHECK(clock.seconds() < before + 1.0);
  CHECK(fettle::monotonic_nanoseconds() > 0);
}
