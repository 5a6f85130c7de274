// The GPU benchmark's frame. A file that adds comparisons declares its function here and is called
// from main.cu.
#pragma once

#include <cuda_runtime.h>

#include <fettle/ndp.hpp>

#include "../../common/ndp/device.cuh"
#include "../../common/ndp/frame.hpp"

namespace ndp_gpu {

namespace fb = fettle_benchmarks;
namespace ndp = fettle::ndp;

struct bench : fb::frame<stopwatch, device_array> {
  cudaStream_t stream = nullptr;

  [[nodiscard]] ndp::platform::cuda platform() const { return {stream}; }
};

using fb::type_name;

void add_reductions(bench& b);
void add_scans(bench& b);
void add_segmented_sums(bench& b);
void add_sparse_products(bench& b);
void add_selections(bench& b);
void add_sorts(bench& b);

}  // namespace ndp_gpu
