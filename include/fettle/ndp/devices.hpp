// How a computation is divided among the devices of a platform that has several. A table of
// contents; what is not listed here is an implementation detail.
//
//   devices::partition_by   what is divided equally: rows, or the work on them
//   devices::cuts           where the parts begin; equal_cuts(), work_cuts()
//   devices::most_devices   the largest number of parts
#pragma once

#include <fettle/ndp/devices/cuts.hpp>  // partition_by, cuts, equal_cuts, work_cuts, most_devices
