// A stand-in for libnvidia-ml: one GPU in simulated time, whose power sensor lags, whose counter
// moves in coarse steps, and which can be told to fail. Tests load it and set its state.
#include <cmath>
#include <cstring>

namespace {

constexpr int not_supported = 3;
constexpr int invalid_argument = 2;

}  // namespace

extern "C" {

/// What a test sets, found by dlsym.
struct stand_in_gpu {
  double seconds;      ///< simulated time
  double idle_watts;   ///< before work_begins
  double work_watts;   ///< mean from then on; swings by a tenth
  double work_begins;  ///< seconds
  double lag_s;        ///< of the power sensor, first order
  double step_s;       ///< between two steps of the counter
  int counter_frozen;  ///< 1: it stays where it is
  int energy_status;   ///< what NVML says when the counter is asked
  int power_status;
} fettle_stand_in_gpu{0.0, 60.0, 300.0, 0.0, 0.05, 0.02, 0, 0, 0};

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int status) {
  if (status == 4) return "Insufficient Permissions";
  return status == 15 ? "GPU is lost" : "Not Supported";
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = &fettle_stand_in_gpu;
  return index == 0 ? 0 : invalid_argument;
}
int nvmlDeviceGetName(void*, char* name, unsigned) {
  std::strcpy(name, "Stand-in");
  return 0;
}

/// Joules from the beginning to a moment: the truth.
double fettle_stand_in_joules(double seconds) {
  const stand_in_gpu& gpu = fettle_stand_in_gpu;
  if (seconds <= gpu.work_begins) return gpu.idle_watts * seconds;
  const double worked = seconds - gpu.work_begins;
  const double swing = 0.1 * gpu.work_watts / 20.0 * (1.0 - std::cos(20.0 * worked));
  return gpu.idle_watts * gpu.work_begins + gpu.work_watts * worked + swing;
}

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  const stand_in_gpu& gpu = fettle_stand_in_gpu;
  const double shown =
      gpu.counter_frozen != 0 ? 1.0 : std::floor(gpu.seconds / gpu.step_s) * gpu.step_s;
  *millijoules = static_cast<unsigned long long>(1e3 * fettle_stand_in_joules(shown));
  return gpu.energy_status;
}

struct field {
  unsigned number, scope;
  long long timestamp, latency;
  int type, status;
  union {
    double real;
    unsigned whole;
    unsigned long long large;
  } value;
};

int nvmlDeviceGetFieldValues(void*, int count, field* fields) {
  const stand_in_gpu& gpu = fettle_stand_in_gpu;
  for (int i = 0; i < count; ++i) {
    fields[i].status = fields[i].number == 186 ? gpu.power_status : not_supported;
    const double worked = gpu.seconds - gpu.work_begins;
    const double drawn = gpu.work_watts * (1.0 + 0.1 * std::sin(20.0 * (worked - gpu.lag_s)));
    const double settled = 1.0 - std::exp(-worked / gpu.lag_s);
    const double watts =
        worked < 0.0 ? gpu.idle_watts : gpu.idle_watts + (drawn - gpu.idle_watts) * settled;
    fields[i].value.whole = static_cast<unsigned>(std::lround(1e3 * watts));
  }
  return 0;
}

}  // extern "C"
