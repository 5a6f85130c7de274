// timing: microseconds of a call among many in a row, until all GPUs are done.
#pragma once

#include <chrono>
#include <cuda_runtime.h>

#include "../../common/ndp/device.cuh"

namespace devices_benchmark {

using ndp_gpu::check;

inline int gpu_count() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return count;
}

inline void wait_for_all() {
  for (int k = gpu_count() - 1; k >= 0; --k) {
    check(cudaSetDevice(k), "cudaSetDevice");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}

template <typename Call>
double microseconds(int calls, const Call& call) {
  call();
  wait_for_all();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  wait_for_all();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return took.count() / calls;
}

}  // namespace devices_benchmark
