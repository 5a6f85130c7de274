// Where computations run: a GPU in files that nvcc compiles, the processor elsewhere. The plain
// loops are compiled, though not called, in both.
#pragma once

#include "host.hpp"
#ifdef __CUDACC__
#include "device.cuh"
#endif
