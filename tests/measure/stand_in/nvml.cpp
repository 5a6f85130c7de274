// A stand-in for libnvidia-ml: one GPU in simulated time, whose power sensor lags, whose counter
// moves in coarse steps, and which can be told to fail. Tests load it and set its state. Its clocks
// are those of a K80 (dissertation 4.3.1.1), and their state is in the file that
// FETTLE_STAND_IN_CLOCKS names, which several processes may share; without one nobody may set them.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int not_supported = 3;
constexpr int invalid_argument = 2;
constexpr int no_permission = 4;

constexpr unsigned default_clock = 562;
constexpr unsigned memory_clock = 2505;

/// "MHz status changes": the clock, what setting it answers, how often it was set.
struct clock_state {
  unsigned mhz = default_clock;
  int status = 0;
  unsigned changes = 0;
};

bool read_clocks(clock_state& state) {
  const char* const path = std::getenv("FETTLE_STAND_IN_CLOCKS");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "r");
  if (file == nullptr) return false;
  const int found = std::fscanf(file, "%u %d %u", &state.mhz, &state.status, &state.changes);
  std::fclose(file);
  return found == 3;
}

int set_clock(unsigned mhz) {
  clock_state state;
  if (!read_clocks(state)) return no_permission;
  if (state.status != 0) return state.status;
  const bool offered = mhz == default_clock || (mhz > 562 && mhz <= 875 && (875 - mhz) % 13 == 0);
  if (!offered) return invalid_argument;
  std::FILE* const file = std::fopen(std::getenv("FETTLE_STAND_IN_CLOCKS"), "w");
  if (file == nullptr) return no_permission;
  std::fprintf(file, "%u %d %u\n", mhz, state.status, state.changes + 1);
  std::fclose(file);
  return 0;
}

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

/// With FETTLE_STAND_IN_REAL_TIME the GPU's time is the machine's, for programs that tests start.
static void look_at_the_clock() {
  static const bool real = std::getenv("FETTLE_STAND_IN_REAL_TIME") != nullptr;
  if (!real) return;
  static const auto begin = std::chrono::steady_clock::now();
  fettle_stand_in_gpu.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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
  look_at_the_clock();
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
  look_at_the_clock();
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

/// Half of 16 GiB, and what a test adds.
std::atomic<unsigned long long> fettle_stand_in_bytes = 0;
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* total_free_used) {
  total_free_used[0] = 16ULL << 30;
  total_free_used[2] = (8ULL << 30) + fettle_stand_in_bytes;
  total_free_used[1] = total_free_used[0] - total_free_used[2];
  return 0;
}

int nvmlDeviceGetSupportedMemoryClocks(void*, unsigned* count, unsigned* clocks) {
  if (*count < 2) return 7;
  *count = 2;
  clocks[0] = memory_clock;
  clocks[1] = 324;
  return 0;
}
int nvmlDeviceGetSupportedGraphicsClocks(void*, unsigned memory, unsigned* count,
                                         unsigned* clocks) {
  if (memory != memory_clock || *count < 25) return memory == memory_clock ? 7 : invalid_argument;
  *count = 25;
  for (unsigned i = 0; i < 25; ++i) clocks[i] = 875 - 13 * i;
  clocks[24] = 562;
  return 0;
}
int nvmlDeviceGetApplicationsClock(void*, int type, unsigned* mhz) {
  clock_state state;
  read_clocks(state);
  *mhz = type == 2 ? memory_clock : state.mhz;
  return state.status == 15 ? 15 : 0;
}
int nvmlDeviceGetDefaultApplicationsClock(void*, int type, unsigned* mhz) {
  *mhz = type == 2 ? memory_clock : default_clock;
  return 0;
}
int nvmlDeviceGetAPIRestriction(void*, int, int* restricted) {
  clock_state state;
  *restricted = read_clocks(state) && state.status != no_permission ? 0 : 1;
  return 0;
}
int nvmlDeviceSetApplicationsClocks(void*, unsigned memory, unsigned mhz) {
  return memory == memory_clock ? set_clock(mhz) : invalid_argument;
}
int nvmlDeviceResetApplicationsClocks(void*) { return set_clock(default_clock); }

}  // extern "C"
