// RAPL: the energy counters of processor packages, as Linux shows them in its powercap tree.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/energy_sensor.hpp>

namespace fettle::inline FETTLE_ABI {

/// The energy of all packages of this machine (intel-rapl:N, which AMD processors have, too). The
/// counters begin anew at max_energy_range_uj, which is accounted for. Often root's alone to read.
class powercap_sensor {
 public:
  /// Throws fettle::error where there are no counters, or where they cannot be read: never an
  /// estimate in their place.
  explicit powercap_sensor(const std::string& tree = "/sys/class/powercap");

  /// The sum of the packages. Throws fettle::error where a counter cannot be read any more.
  sensor_sample read();
  std::string name() const { return name_; }
  /// Infinite: what the packages' counters lose when they begin anew is added here.
  double counter_range() const;

 private:
  struct package {
    std::string file;
    double range;  ///< joules
    double last;
    double total;
  };

  std::vector<package> packages_;
  std::string name_;
};

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/measure/powercap.ipp>
#endif
