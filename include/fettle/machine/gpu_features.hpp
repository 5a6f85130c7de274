// What the CUDA driver says of a GPU: the features of the dissertation's table 3.1 that it knows.
//
// The driver's library is loaded when it is asked, so that programs need no CUDA to be built or
// run.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/machine/feature.hpp>

namespace fettle::inline FETTLE_ABI {

/// A GPU and its features; none where there is no driver or no such device.
struct gpu_description {
  std::string name;
  device_features features;
};

/// Asks the driver about a device by its number.
gpu_description describe_gpu(int device = 0);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/machine/gpu_features.ipp>
#endif
