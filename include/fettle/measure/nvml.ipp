// Definitions of nvml.hpp.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/nvml.hpp>
#include <fettle/measure/nvml_library.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE nvml_sensor::nvml_sensor(unsigned device, const std::string& library)
    : nvml_(std::make_unique<detail::nvml_library>(library)) {
  name_ = detail::find_nvml_device(*nvml_, device, device_);
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
