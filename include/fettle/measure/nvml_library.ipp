// Definitions of nvml_library.hpp.
#pragma once

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/nvml_library.hpp>

namespace fettle::inline FETTLE_ABI::detail {

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

[[gnu::cold]] FETTLE_INLINE std::string nvml_path() {
  const char* const named = std::getenv("FETTLE_NVML");
  return named == nullptr || *named == '\0' ? "libnvidia-ml.so.1" : named;
}

[[gnu::cold]] FETTLE_INLINE std::string find_nvml_device(const nvml_library& nvml, unsigned index,
                                                         void*& device) {
  const std::string gpu = "GPU " + number_text(index);
  if (const int status = nvml.device_at(index, &device); status != 0) nvml.fail(gpu, status);
  char text[96] = {};
  if (const int status = nvml.name_of(device, text, sizeof text); status != 0) {
    nvml.fail("the name of " + gpu, status);
  }
  return "NVML " + number_text(index) + " " + text;
}

}  // namespace fettle::detail
