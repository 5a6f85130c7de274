// Include this in a test program that runs kernels: where there is no GPU, the program ends at once
// with the status by which ctest says "Skipped".
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace {

// Before main(), because Catch2 2.13 cannot skip a test case.
[[maybe_unused]] const bool gpu_is_there = [] {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return true;
  std::printf("skipped: needs a GPU (%s)\n", cudaGetErrorString(status));
  std::exit(77);
}();

}  // namespace
