// Definitions of profiled_region.hpp.
#pragma once

#include <dlfcn.h>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/profiled_region.hpp>

namespace fettle::inline FETTLE_ABI::detail {

inline constexpr std::string_view cuda_profiler = "cuda";

/// Calls the driver, which the program has loaded: its runtime may be linked statically.
[[gnu::cold]] FETTLE_INLINE bool call_cuda_driver(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return false;
  const auto function = reinterpret_cast<int (*)()>(dlsym(driver, name));
  const bool done = function != nullptr && function() == 0;
  dlclose(driver);
  return done;
}

/// Sends perf a command and waits for its answer.
[[gnu::cold]] FETTLE_INLINE bool tell_perf(const std::string& folder, std::string_view command) {
  std::ofstream control(folder + "/control");
  control << command << '\n' << std::flush;
  std::ifstream answers(folder + "/answer");
  std::string answer;
  return control && std::getline(answers, answer) && answer.find("ack") != std::string::npos;
}

[[gnu::cold]] FETTLE_INLINE profiled_region::profiled_region(std::string profiler)
    : profiler_(std::move(profiler)) {
  if (profiler_ == cuda_profiler) {
    if (call_cuda_driver("cuProfilerStart")) return;
    throw error(
        "the variant has used no CUDA device before it is profiled, so that Nsight Compute has "
        "nothing to count; profile it with perf, profile(..., profiler=\"perf\")");
  }
  if (!tell_perf(profiler_, "enable")) {
    throw error("perf does not answer in " + profiler_ +
                "; is it of Linux 5.10 or later (perf stat --control)?");
  }
}

[[gnu::cold]] FETTLE_INLINE profiled_region::~profiled_region() {
  if (profiler_ == cuda_profiler) {
    call_cuda_driver("cuProfilerStop");
  } else {
    tell_perf(profiler_, "disable");
  }
}

}  // namespace fettle::detail
