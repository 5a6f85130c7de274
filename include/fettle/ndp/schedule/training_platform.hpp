// training_platform<P>: what training needs of a platform beyond running computations: copying a
// destination's memory, spoiling it, and timing what the processor's clock cannot see the end of.
//
// A specialisation (openmp/training_platform.hpp, cuda/training_platform.cuh) has these static
// members:
//   times_calls       whether seconds() times a call; else the processor's clock around it does
//   read, write       copies from and to memory of the platform, with conversion
//   spoil             fills with a byte
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/platform.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <platform_like Platform>
struct training_platform;

}  // namespace fettle::ndp
