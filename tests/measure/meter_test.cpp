// Meters around a piece of work: energy by a sensor of the test's own, memory, counts.
#include <atomic>
#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/measure/energy_meter.hpp>
#include <fettle/measure/file_sensor.hpp>
#include <fettle/measure/memory_meter.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/measure/pmt.hpp>
#include <fettle/measure/timer.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace {

void work() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

/// 100 W, by a counter and by power; or lost after so many looks.
struct steady_sensor {
  fettle::timer since{};
  int looks_left = std::numeric_limits<int>::max();

  fettle::sensor_sample read() {
    if (looks_left-- <= 0) throw fettle::error("GPU is lost; see what nvidia-smi says of the GPU");
    return {100.0 * since.seconds(), 100.0};
  }
  static std::string name() { return "steady"; }
  static double counter_range() { return std::numeric_limits<double>::infinity(); }
};

constexpr fettle::energy_options brief{.settle_s = 0.05, .window_s = 0.2, .interval_s = 1e-3};

/// A sensor with the interface of the Power Measurement Toolkit.
struct toolkit {
  struct state {
    double at, joules;
  };
  fettle::timer since{};
  state Read() const { return {since.seconds(), 50.0 * since.seconds()}; }
  static double joules(const state& a, const state& b) { return b.joules - a.joules; }
  static double seconds(const state& a, const state& b) { return b.at - a.at; }
};

}  // namespace

TEST_CASE("energy and power of a run, and how they came about") {
  fettle::energy_options options = brief;
  options.window_s = 1.0;
  fettle::energy_meter meter(std::make_shared<steady_sensor>(), options);
  auto found = meter.measure(work);
  REQUIRE(found.size() == meter.metrics().size());
  // On a machine that is busy the last look may come late, and the window be refused as short.
  for (int i = 0; i < 5 && !found[0].refused.empty(); ++i) found = meter.measure(work);
  CHECK(meter.metrics()[0] == fettle::metric_name("joules", "J"));
  CHECK(found[1].value == approx(100.0).epsilon(0.05));
  CHECK(found[2].value == approx(100.0));
  CHECK(found[0].value > 0.2 * 0.9);  // 2 ms at 100 W
  CHECK(found[0].sensor == "steady");
  CHECK(found[0].method == "energy counter");
  CHECK(found[2].method.find("looks at the power") != std::string::npos);
  CHECK(found[0].window_s >= 0.95);
  CHECK(found[0].resolution > 0.0);
  CHECK(found[0].refused.empty());
}

TEST_CASE("a sensor that is lost, missing or too slow is refused, and no figure is given") {
  auto lost = std::make_shared<steady_sensor>();
  lost->looks_left = 3;
  fettle::energy_meter losing(lost, brief);
  fettle::energy_meter missing("cannot load NVML");
  fettle::energy_meter brief_one(std::make_shared<steady_sensor>(), brief);
  const auto check = [](fettle::meter& meter, const std::string& why) {
    for (const fettle::meter_reading& one : meter.measure(work)) {
      INFO(one.refused);
      CHECK(std::isnan(one.value));
      CHECK(one.refused.find(why) != std::string::npos);
    }
  };
  check(losing, "GPU is lost");
  check(missing, "cannot load NVML");
  check(brief_one, "is shorter than");
}

TEST_CASE("what the work throws passes through a meter") {
  fettle::energy_meter energy(std::make_shared<steady_sensor>(), brief);
  fettle::memory_meter memory;
  fettle::device_memory_meter device(0, FETTLE_STAND_IN_NVML);
  const auto bad = [] { throw std::runtime_error("bad"); };
  for (fettle::meter* const one : std::vector<fettle::meter*>{&energy, &memory, &device}) {
    CHECK_THROWS_WITH(one->measure(bad), "bad");
  }
}

TEST_CASE("the Power Measurement Toolkit's sensors are energy sensors") {
  using pmt = fettle::pmt_sensor<std::unique_ptr<toolkit>>;
  static_assert(fettle::energy_sensor<pmt>);
  fettle::energy_options options = brief;
  options.window_s = 1.0;
  auto sensor = std::make_shared<pmt>(std::make_unique<toolkit>(), "PMT test");
  fettle::energy_meter meter(sensor, options);
  const auto found = meter.measure(work);
  CHECK(found[1].value == approx(50.0).epsilon(0.05));
  CHECK(found[0].sensor == "PMT test");
}

TEST_CASE("a counter that another program writes is an energy sensor") {
  const test::scratch folder;
  const std::string path = folder / "joules";
  test::write_text(path, "12.5\n");
  const fettle::file_sensor sensor(path);
  static_assert(fettle::energy_sensor<fettle::file_sensor>);
  CHECK(sensor.read().joules == 12.5);
  CHECK(std::isnan(sensor.read().watts));
  test::write_text(path, "soon");
  std::string said;
  try {
    static_cast<void>(sensor.read());
  } catch (const fettle::error& why) {
    said = why.what();
  }
  CHECK(said.find("holds no number of joules") != std::string::npos);
  CHECK_THROWS_AS(fettle::file_sensor(folder / "none"), fettle::error);
}

TEST_CASE("the memory that a run adds at most") {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  fettle::memory_meter meter;
  const auto nothing = meter.measure([] {})[0];
  if (nothing.refused.empty()) CHECK(nothing.value < 65536.0);
  const auto [found] = std::array{meter.measure([] {
    std::vector<char> all(bytes, 1);
    CHECK(all[bytes / 2] == 1);
  })[0]};
  if (found.refused.empty()) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    CHECK(found.value >= 0.9 * static_cast<double>(bytes));  // and the sanitizer's shadow memory
#else
    CHECK(found.value == approx(static_cast<double>(bytes)).epsilon(0.1));
#endif
    CHECK(found.sensor.find("VmHWM") != std::string::npos);
  }
  fettle::memory_meter nowhere("/no/such/process");
  CHECK(nowhere.measure(work)[0].refused.find("does not let the largest") != std::string::npos);
}

TEST_CASE("the memory that a GPU gives out at most") {
  void* const library = dlopen(FETTLE_STAND_IN_NVML, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  auto* const given =
      static_cast<std::atomic<unsigned long long>*>(dlsym(library, "fettle_stand_in_bytes"));
  fettle::device_memory_meter meter(0, FETTLE_STAND_IN_NVML);
  *given = 100;
  const auto found = meter.measure([&] {
    *given = 5100;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    *given = 100;
  });
  CHECK(found[0].value == 5000.0);
  CHECK(found[0].sensor == "NVML 0 Stand-in");
  *given = 0;
  dlclose(library);
  fettle::device_memory_meter without(0, "no-such-library.so");
  CHECK(without.measure(work)[0].refused.find("cannot load NVML") == 0);
}

TEST_CASE("any callable that counts is a meter") {
  int calls = 7;
  fettle::counting_meter meter("calls", "", [&] { return calls; });
  const auto found = meter.measure([&] { calls += 3; });
  CHECK(found[0].value == 3.0);
  CHECK(meter.metrics()[0].first == "calls");
}
