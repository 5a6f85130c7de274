// NVML, by a stand-in for its library in simulated time (stand_in/nvml.cpp).
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

#include <fettle/core/error.hpp>
#include <fettle/measure/energy.hpp>
#include <fettle/measure/nvml.hpp>

#include "support/catch.hpp"

namespace {

/// As stand_in/nvml.cpp has it.
struct stand_in_gpu {
  double seconds, idle_watts, work_watts, work_begins, lag_s, step_s;
  int counter_frozen, energy_status, power_status;
};

/// The library, in its first state until the end of the scope.
class stand_in {
 public:
  stand_in() {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    gpu = static_cast<stand_in_gpu*>(dlsym(library_, "fettle_stand_in_gpu"));
    truth = reinterpret_cast<double (*)(double)>(dlsym(library_, "fettle_stand_in_joules"));
    *gpu = {0.0, 60.0, 300.0, 0.0, 0.05, 0.02, 0, 0, 0};
  }
  stand_in(const stand_in&) = delete;
  stand_in& operator=(const stand_in&) = delete;
  ~stand_in() { dlclose(library_); }

  static std::string path() { return FETTLE_STAND_IN_NVML; }

  stand_in_gpu* gpu = nullptr;
  double (*truth)(double) = nullptr;

 private:
  void* library_ = dlopen(FETTLE_STAND_IN_NVML, RTLD_NOW | RTLD_LOCAL);
};

struct simulated {
  const stand_in_gpu* gpu;
  double seconds() const { return gpu->seconds; }
  static constexpr bool is_real = false;
};

/// Runs of 10 ms in a window of so many seconds, at ten looks a second.
fettle::run_energy measured(const stand_in& library, double window_s) {
  fettle::nvml_sensor sensor(0, stand_in::path());
  return fettle::measure_energy(
      sensor, [&] { library.gpu->seconds += 0.01; }, {.window_s = window_s, .interval_s = 0.1},
      simulated{library.gpu});
}

std::string problem_of(unsigned device = 0, const std::string& path = stand_in::path()) {
  try {
    fettle::nvml_sensor sensor(device, path);
    static_cast<void>(sensor.read());
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace

TEST_CASE("energy is within 2 % of the truth, by coarse counters and by a power sensor that lags") {
  for (const double window_s : {1.0, 2.0, 5.0, 10.0, 30.0}) {
    for (const double step_s : {0.001, 0.02, 0.1}) {
      for (const bool frozen : {false, true}) {
        const stand_in library;
        library.gpu->step_s = step_s;
        library.gpu->counter_frozen = frozen ? 1 : 0;
        const fettle::run_energy found = measured(library, window_s);
        const double end = library.gpu->seconds;
        const double window = found.energy.window_s;
        const double truth = library.truth(end) - library.truth(end - window);
        INFO(window_s << " s, steps of " << step_s << " s, frozen " << frozen);
        REQUIRE(found.energy);
        CHECK(found.energy.method == (frozen ? "integral of power" : "energy counter"));
        CHECK(found.energy.joules == approx(truth).epsilon(0.02));
        CHECK(found.joules * static_cast<double>(found.runs) == approx(truth).epsilon(0.02));
        CHECK(found.seconds == approx(0.01));
        CHECK(found.energy.window_s >= window_s * 0.999);
        CHECK(found.energy.resolution_j > 0.0);
        CHECK(found.sensor == "NVML 0 Stand-in");
        CHECK(found.energy.max_watts == approx(330.0).epsilon(0.02));
      }
    }
  }
}

TEST_CASE("a window that is too short is refused") {
  const stand_in library;
  const fettle::run_energy found = measured(library, 0.2);
  CHECK(found.energy.refused.find("is shorter than 0.95 s") != std::string::npos);
  CHECK(std::isnan(found.joules));
}

TEST_CASE("a GPU that is lost, or may not be asked, is an error with NVML's words") {
  const stand_in library;
  library.gpu->energy_status = 15;
  CHECK(problem_of().find("GPU is lost; see what nvidia-smi says") != std::string::npos);
  library.gpu->energy_status = 4;
  CHECK(problem_of().find("Insufficient Permissions; let an administrator") != std::string::npos);
  library.gpu->energy_status = 3;
  CHECK(problem_of().empty());  // there is the power still
  library.gpu->power_status = 3;
  CHECK(problem_of().find("has neither an energy counter nor") != std::string::npos);
}

TEST_CASE("without the library or the device there is a sentence") {
  CHECK(problem_of(0, "no-such-library.so").starts_with("cannot load NVML, 'no-such-library.so'"));
  CHECK(problem_of(7).find("cannot tell GPU 7") != std::string::npos);
}
