// The meters that a policy names: what the header of a script with `meters` includes.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/energy_meter.hpp>
#include <fettle/measure/file_sensor.hpp>
#include <fettle/measure/memory_meter.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/measure/nvml.hpp>
#include <fettle/measure/powercap.hpp>

namespace fettle::inline FETTLE_ABI {

/// The `metering` of a policy: "energy" by the counter that $FETTLE_ENERGY_COUNTER names, by the
/// GPU where there is one, else by the processor's counters; "gpu_energy" and "cpu_energy";
/// "memory" and "device_memory". Made in training alone.
struct standard_meters {
  /// The meters of these names, separated by blanks. Throws fettle::error for an unknown name.
  static std::vector<std::shared_ptr<meter>> make(std::string_view names) {
    std::vector<std::shared_ptr<meter>> found;
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find(' '));
      if (!name.empty()) found.push_back(named(name));
      names.remove_prefix(name.size() == names.size() ? name.size() : name.size() + 1);
    }
    return found;
  }

 private:
  template <typename Sensor, typename... Arguments>
  static std::shared_ptr<meter> energy(const std::string& before, const Arguments&... arguments) {
    try {
      return std::make_shared<energy_meter>(std::make_shared<Sensor>(arguments...));
    } catch (const error& why) {
      return std::make_shared<energy_meter>(before + (before.empty() ? "" : "; ") + why.what());
    }
  }

  static std::shared_ptr<meter> named(std::string_view name) {
    if (name == "gpu_energy") return energy<nvml_sensor>({});
    if (name == "cpu_energy") return energy<powercap_sensor>({});
    if (name == "memory") return std::make_shared<memory_meter>();
    if (name == "device_memory") return std::make_shared<device_memory_meter>();
    if (name != "energy") {
      throw error("there is no meter " + std::string(name) +
                  "; meters are energy, gpu_energy, cpu_energy, memory and device_memory");
    }
    if (const char* const counter = std::getenv("FETTLE_ENERGY_COUNTER")) {
      return energy<file_sensor>({}, counter);
    }
    try {
      return std::make_shared<energy_meter>(std::make_shared<nvml_sensor>());
    } catch (const error& why) {
      return energy<powercap_sensor>(why.what());
    }
  }
};

}  // namespace fettle
