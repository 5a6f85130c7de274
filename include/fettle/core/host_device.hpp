// FETTLE_HOST_DEVICE: marks a function that runs on the processor and, when nvcc compiles it, on
// the GPU too. The one macro that CUDA forces on the library.
#pragma once

#ifdef __CUDACC__
#define FETTLE_HOST_DEVICE __host__ __device__
#else
#define FETTLE_HOST_DEVICE
#endif
