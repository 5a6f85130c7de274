// A memory resource that counts what is asked of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>

#include "ndp/support/cuda_platform.cuh"

namespace ndp_test {

/// The device's own memory, in the order of the stream.
struct counting_resource {
  std::size_t most = 0;  // bytes at once
  int allocations = 0;
  int open = 0;  // that were not given back

  void* allocate(std::size_t bytes, cudaStream_t on) {
    most = std::max(most, bytes);
    ++allocations;
    ++open;
    void* p = nullptr;
    require_success(cudaMallocAsync(&p, bytes, on));
    return p;
  }
  void deallocate(void* p, std::size_t /*bytes*/, cudaStream_t on) {
    --open;
    cudaFreeAsync(p, on);
  }
};

}  // namespace ndp_test
