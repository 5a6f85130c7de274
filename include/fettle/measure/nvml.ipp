// Definitions of nvml.hpp.
#pragma once

#include <dlfcn.h>
#include <limits>
#include <memory>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/nvml.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// nvmlFieldValue_t, as NVML's header has it.
struct nvml_field {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency_us;
  int type;
  int status;
  union {
    double real;
    unsigned whole;
    unsigned long long large;
  } value;
};

/// The functions of NVML that are used; their statuses are 0 where all is well.
struct nvml_library {
  static constexpr int not_supported = 3;
  static constexpr int no_permission = 4;
  static constexpr unsigned instantaneous_power = 186;

  explicit nvml_library(const std::string& path);
  nvml_library(const nvml_library&) = delete;
  nvml_library& operator=(const nvml_library&) = delete;
  ~nvml_library();

  /// Throws fettle::error with NVML's own words.
  [[noreturn]] void fail(const std::string& what, int status) const;

  void* library = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*text_of)(int status) = nullptr;
  int (*device_at)(unsigned index, void** device) = nullptr;
  int (*name_of)(void* device, char* name, unsigned length) = nullptr;
  int (*energy_of)(void* device, unsigned long long* millijoules) = nullptr;
  int (*fields_of)(void* device, int count, nvml_field* fields) = nullptr;

 private:
  template <typename Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
      dlclose(library);
      throw error("NVML, the library of the NVIDIA driver, has no " + std::string(name) +
                  "; install a newer driver");
    }
  }
};

[[gnu::cold]] FETTLE_INLINE nvml_library::nvml_library(const std::string& path) {
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw error("cannot load NVML, '" + path +
                "': is the NVIDIA driver installed? Without it a GPU's energy is not measured");
  }
  int (*init)() = nullptr;
  find(init, "nvmlInit_v2");
  find(shutdown, "nvmlShutdown");
  find(text_of, "nvmlErrorString");
  find(device_at, "nvmlDeviceGetHandleByIndex_v2");
  find(name_of, "nvmlDeviceGetName");
  find(energy_of, "nvmlDeviceGetTotalEnergyConsumption");
  find(fields_of, "nvmlDeviceGetFieldValues");
  if (const int status = init(); status != 0) {
    const std::string text = text_of(status);
    dlclose(library);
    throw error("NVML does not start: " + text + "; see whether nvidia-smi runs");
  }
}

[[gnu::cold]] FETTLE_INLINE nvml_library::~nvml_library() {
  shutdown();
  dlclose(library);
}

[[gnu::cold]] FETTLE_INLINE void nvml_library::fail(const std::string& what, int status) const {
  const char* const remedy = status == no_permission
                                 ? "let an administrator allow it, or run as root"
                                 : "see what nvidia-smi says of the GPU";
  throw error("NVML cannot tell " + what + ": " + text_of(status) + "; " + remedy);
}

}  // namespace detail

[[gnu::cold]] FETTLE_INLINE nvml_sensor::nvml_sensor(unsigned device, const std::string& library)
    : nvml_(std::make_unique<detail::nvml_library>(library)) {
  const std::string gpu = "GPU " + number_text(device);
  if (const int status = nvml_->device_at(device, &device_); status != 0) nvml_->fail(gpu, status);
  char text[96] = {};
  if (const int status = nvml_->name_of(device_, text, sizeof text); status != 0) {
    nvml_->fail("the name of " + gpu, status);
  }
  name_ = "NVML " + number_text(device) + " " + text;
  const sensor_sample first = read();
  if (!is_finite(first.joules) && !is_finite(first.watts)) {
    throw error(name_ +
                " has neither an energy counter nor an instantaneous power reading, which "
                "came with driver 530; its energy is not measured");
  }
}

[[gnu::cold]] FETTLE_INLINE nvml_sensor::~nvml_sensor() = default;

[[gnu::cold]] FETTLE_INLINE sensor_sample nvml_sensor::read() {
  sensor_sample found;
  unsigned long long millijoules = 0;
  const int status = nvml_->energy_of(device_, &millijoules);
  if (status == 0) {
    found.joules = static_cast<double>(millijoules) * 1e-3;
  } else if (status != detail::nvml_library::not_supported) {
    nvml_->fail("the energy of " + (name_.empty() ? "the GPU" : name_), status);
  }
  detail::nvml_field power{};
  power.field = detail::nvml_library::instantaneous_power;
  if (nvml_->fields_of(device_, 1, &power) == 0 && power.status == 0) {
    found.watts = static_cast<double>(power.value.whole) * 1e-3;
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE double nvml_sensor::counter_range() const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace fettle
