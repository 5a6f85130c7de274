// What a processor does in practice: bandwidth, gather, atomic operations, threads, multiply-adds.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/machine/feature.hpp>

namespace fettle::inline FETTLE_ABI {

/// Measures for about so many seconds in all, with a thread a core. Needs 192 MiB of memory.
///
/// Throws std::bad_alloc and std::system_error where there is no memory or no threads.
device_features measure_processor(double seconds = 3);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/machine/measured_features.ipp>
#endif
