// What the operating system says of the processor: cores, caches, vector width, clock.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/machine/feature.hpp>

namespace fettle::inline FETTLE_ABI {

/// Features that need no measurement; milliseconds.
device_features processor_features();

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/machine/processor_features.ipp>
#endif
