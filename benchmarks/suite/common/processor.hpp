// The processor that runs computations: a GPU in files that nvcc compiles, the CPU elsewhere. The
// plain loops are compiled, though not called, in both.
#pragma once

#include "host.hpp"
#ifdef __CUDACC__
#include "device.cuh"
#endif
