// The energy counter and the power of an NVIDIA GPU, by NVML, whose library is loaded when a sensor
// is made: programs need neither its header nor the library to be built.
#pragma once

#include <memory>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/measure/energy_sensor.hpp>
#include <fettle/measure/nvml_library.hpp>

namespace fettle::inline FETTLE_ABI {

/// A GPU's energy counter and its power at this moment (field 186). nvmlDeviceGetPowerUsage, which
/// is a mean over a second since Ampere, is not asked. On some GPUs the sensor sees a part of the
/// time only, and the counter of a Grace Hopper is of the whole module.
class nvml_sensor {
 public:
  /// `device` counts as nvidia-smi does; `library` is what dlopen() gets. Throws fettle::error
  /// where there is no library, no such device, or neither counter nor power.
  explicit nvml_sensor(unsigned device = 0, const std::string& library = detail::nvml_path());
  nvml_sensor(const nvml_sensor&) = delete;
  nvml_sensor& operator=(const nvml_sensor&) = delete;
  ~nvml_sensor();

  /// Throws fettle::error where the device is lost or may not be asked.
  sensor_sample read();
  std::string name() const { return name_; }
  /// 64 bits of millijoules: never.
  double counter_range() const;

 private:
  std::unique_ptr<detail::nvml_library> nvml_;
  void* device_ = nullptr;
  std::string name_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/nvml.ipp>
#endif
