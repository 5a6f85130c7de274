// Include this in a test program that runs kernels: where there is no GPU, the program ends at once
// with the status by which ctest says "Skipped".
#pragma once

#include <cuda_runtime.h>
#include <string>

#include "support/skip.hpp"

namespace {

[[maybe_unused]] const bool gpu_is_there = [] {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return true;
  return test::skip_program(
      ("needs a GPU (" + std::string(cudaGetErrorString(status)) + ")").c_str());
}();

}  // namespace
