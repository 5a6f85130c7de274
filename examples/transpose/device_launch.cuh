// How the kernels of this folder are started.
#pragma once

#include <cuda_pipeline.h>

#include "../support/device.cuh"
#include "divider.hpp"

namespace transpose::device {

using examples::device::blocks_for;
using examples::device::check;
using examples::device::multiprocessors;

constexpr std::size_t most_shared = 200 * 1024;  ///< bytes a block

/// Lets a kernel have more shared memory than 48 KiB.
template <class Kernel>
Kernel* with_shared_memory(Kernel* kernel) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_shared)),
        "cudaFuncSetAttribute");
  return kernel;
}

/// Starts a kernel whose blocks wait for each other, so that all must run at once.
template <class Kernel, class... Arguments>
void launch_together(Kernel* kernel, unsigned blocks, unsigned threads, std::size_t shared,
                     Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), pointers, shared, nullptr),
        "cudaLaunchCooperativeKernel");
}

/// Copies an element to shared memory while the thread goes on.
template <class Value>
__device__ void load_async(Value* to, const Value* from) {
  __pipeline_memcpy_async(to, from, sizeof(Value));
}

/// Calls visit(k, k / width, k % width) for all k below `size`, by all threads of a block.
template <class Visit>
__device__ void for_each_of_block(number size, number width, const Visit& visit) {
  const number step = blockDim.x / width;
  const number rest = blockDim.x - step * width;
  number quotient = threadIdx.x / width;
  number remainder = threadIdx.x - quotient * width;
  for (number k = threadIdx.x; k < size; k += blockDim.x) {
    visit(k, quotient, remainder);
    quotient += step;
    remainder += rest;
    if (remainder >= width) {
      remainder -= width;
      ++quotient;
    }
  }
}

/// Rows in shared memory with an unused element after every 2^skew of them, so that threads that
/// read a column meet different banks.
struct padded_rows {
  number n;
  number skew = 0;

  padded_rows(number columns, std::size_t element) : n(columns) {
    const auto banks = static_cast<number>(128 / element);
    while ((n << skew) % banks != 0) ++skew;
  }
  FETTLE_HOST_DEVICE number at(number row, number column) const {
    return row * n + (row >> skew) + column;
  }
  FETTLE_HOST_DEVICE std::size_t size(number rows) const { return at(rows, 0); }
};

}  // namespace transpose::device
