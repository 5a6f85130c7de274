// training_platform<P> of every platform that this file is compiled for.
#pragma once

#include <fettle/ndp/openmp/dispatch/training_platform.hpp>
#ifdef __CUDACC__
#include <fettle/ndp/cuda/dispatch/training_platform.cuh>
#endif
