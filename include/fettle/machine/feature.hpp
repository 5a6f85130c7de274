// A device feature: a number that describes a machine, by which machines are compared.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// A number that describes a machine. Its unit ends its name; 0: not known.
struct device_feature {
  std::string name;
  double value = 0;
};

using device_features = std::vector<device_feature>;

}  // namespace fettle
