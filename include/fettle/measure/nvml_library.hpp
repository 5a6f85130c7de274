// NVML, the library of the NVIDIA driver, loaded at run time: what fettle::nvml_sensor and
// fettle::nvml_clocks share. Programs need neither its header nor the library to be built.
#pragma once

#include <dlfcn.h>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::detail {

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

  /// A function that older drivers do not have; null where it is missing.
  template <typename Function>
  Function optional(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library, name));
  }

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

/// What dlopen() gets: $FETTLE_NVML, or the driver's own name for its library.
std::string nvml_path();

/// The handle and the name of a GPU, "NVML 0 Tesla V100". Throws fettle::error where there is none.
std::string find_nvml_device(const nvml_library& nvml, unsigned index, void*& device);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/measure/nvml_library.ipp>
#endif
