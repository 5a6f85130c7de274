// RAPL, by a stand-in powercap tree.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <unistd.h>

#include <fettle/core/error.hpp>
#include <fettle/measure/energy.hpp>
#include <fettle/measure/powercap.hpp>
#include <fettle/measure/timer.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace {

using test::scratch;
using test::write_text;

constexpr double range = 262143.328850;  // joules, as processors have it

void write_package(const scratch& tree, int number, double joules, const std::string& name) {
  const std::string folder = tree / ("intel-rapl:" + std::to_string(number));
  write_text(folder + "/name", name + "\n");
  write_text(folder + "/max_energy_range_uj", "262143328850\n");
  write_text(folder + "/energy_uj", std::to_string(static_cast<long long>(joules * 1e6)) + "\n");
}

std::string problem_of(const std::string& tree) {
  try {
    fettle::powercap_sensor sensor(tree);
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return {};
}

/// Simulated time; every run takes 50 ms and the packages draw 150 W in all.
struct simulated {
  const double* now;
  double seconds() const { return *now; }
  static constexpr bool is_real = false;
};

}  // namespace

TEST_CASE("the packages are summed, and a counter that begins anew goes on") {
  const scratch tree;
  write_package(tree, 0, range - 10.0, "package-0");
  write_package(tree, 1, 5.0, "package-1");
  write_package(tree, 2, 999.0, "psys");  // counts the packages once more
  fettle::powercap_sensor sensor(tree.path());
  CHECK(sensor.name() == "powercap package-0, package-1");
  CHECK(sensor.read().joules == approx(0.0).margin(1e-6));
  write_package(tree, 0, 20.0, "package-0");
  write_package(tree, 1, 6.0, "package-1");
  CHECK(sensor.read().joules == approx(31.0));
}

TEST_CASE("the energy of a run is that of the tree, wrap-around included") {
  for (const double window_s : {1.0, 2.0, 5.0, 10.0, 30.0}) {
    const scratch tree;
    double now = 0.0;
    const auto set = [&] {
      write_package(tree, 0, std::fmod(range - 100.0 + 100.0 * now, range), "package-0");
      write_package(tree, 1, 50.0 * now, "package-1");
    };
    set();
    fettle::powercap_sensor sensor(tree.path());
    const fettle::run_energy found = fettle::measure_energy(
        sensor,
        [&] {
          now += 0.05;
          set();
        },
        {.window_s = window_s, .interval_s = 0.1}, simulated{&now});
    REQUIRE(found.energy);
    CHECK(found.seconds == approx(0.05));
    CHECK(found.joules == approx(7.5).epsilon(0.02));
    CHECK(found.energy.method == "energy counter");
  }
}

TEST_CASE("without counters, or without permission, there is a sentence and no estimate") {
  const scratch tree;
  CHECK(problem_of(tree.path()).starts_with("there are no energy counters of processor packages"));
  write_package(tree, 0, 5.0, "package-0");
  write_text(tree / "intel-rapl:0/energy_uj", "garbage\n");
  CHECK(problem_of(tree.path()).find("'garbage' is not a number") != std::string::npos);
  std::filesystem::permissions(tree / "intel-rapl:0/energy_uj", std::filesystem::perms::none);
  if (geteuid() != 0) {  // root may read everything
    CHECK(problem_of(tree.path()).find("permission denied; it is root's alone") !=
          std::string::npos);
  }
}

TEST_CASE("long runs are looked at by a thread, in real time") {
  const fettle::timer since;
  struct growing {  // 40 W by the clock
    const fettle::timer* since;
    fettle::sensor_sample read() { return {40.0 * since->seconds(), 40.0}; }
    std::string name() const { return "growing"; }
    double counter_range() const { return std::numeric_limits<double>::infinity(); }
  } sensor{&since};
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
  const fettle::run_energy found = fettle::measure_energy(sensor, sleep, {.settle_s = 0.03});
  REQUIRE(found.energy);
  CHECK(found.energy.watts == approx(40.0).epsilon(0.02));
  CHECK(found.joules == approx(40.0 * found.seconds));
  struct lost : growing {
    fettle::sensor_sample read() { throw fettle::error("lost"); }
  } gone{{&since}};
  CHECK_THROWS_AS(fettle::measure_energy(gone, sleep, {.settle_s = 0.03, .window_s = 0.1}),
                  fettle::error);
}
