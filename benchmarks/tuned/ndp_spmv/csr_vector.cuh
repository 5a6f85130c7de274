// The kernel of CUSP 0.5.1, the paper's reference (spmv_csr_vector): a row is a warp's, or that of
// so many threads as suit the average row; CUSP's rule of how many and of how large the grid is.
#pragma once

#include <algorithm>
#include <cuda_runtime.h>
#include <stdexcept>

#include "../../common/ndp/device.cuh"

namespace ndp_tuned {

namespace detail {

inline constexpr int csr_vector_block = 256;

template <int ThreadsARow>
__global__ void __launch_bounds__(csr_vector_block)
    csr_vector_kernel(int rows, const int* __restrict__ offsets, const int* __restrict__ columns,
                      const double* __restrict__ values, const double* __restrict__ x,
                      double* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % ThreadsARow;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int step = static_cast<int>(gridDim.x * blockDim.x) / ThreadsARow;
  // All threads of a warp stay in the loop together, for the exchange at its end.
  const int turns = (rows + step - 1) / step;
  for (int turn = 0; turn < turns; ++turn) {
    const int row = thread / ThreadsARow + turn * step;
    double sum = 0;
    if (row < rows) {
      for (int k = offsets[row] + lane; k < offsets[row + 1]; k += ThreadsARow) {
        sum += values[k] * x[columns[k]];
      }
    }
    for (int distance = ThreadsARow / 2; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, distance, ThreadsARow);
    }
    if (row < rows && lane == 0) y[row] = sum;
  }
}

template <int ThreadsARow>
void launch_csr_vector(cudaStream_t stream, int rows, const int* offsets, const int* columns,
                       const double* values, const double* x, double* y) {
  static const int most_blocks = [] {
    int device = 0;
    int processors = 0;
    int resident = 0;
    ndp_gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    ndp_gpu::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                   "cudaDeviceGetAttribute");
    ndp_gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                       &resident, csr_vector_kernel<ThreadsARow>, csr_vector_block, 0),
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return processors * resident;
  }();
  constexpr int rows_a_block = csr_vector_block / ThreadsARow;
  const int blocks = std::clamp((rows + rows_a_block - 1) / rows_a_block, 1, most_blocks);
  csr_vector_kernel<ThreadsARow><<<static_cast<unsigned>(blocks), csr_vector_block, 0, stream>>>(
      rows, offsets, columns, values, x, y);
  ndp_gpu::check(cudaGetLastError(), "csr_vector");
}

}  // namespace detail

/// How many threads CUSP gives to a row.
[[nodiscard]] inline int cusp_threads_a_row(int rows, int nonzeros) {
  const int average = nonzeros / std::max(rows, 1);
  int threads = 2;
  while (threads < 32 && threads < average) threads *= 2;
  return threads;
}

/// y = A x with 2, 4, 8, 16 or 32 threads a row.
inline void csr_vector(cudaStream_t stream, int threads_a_row, int rows, const int* offsets,
                       const int* columns, const double* values, const double* x, double* y) {
  const auto by = [&](auto launch) { launch(stream, rows, offsets, columns, values, x, y); };
  switch (threads_a_row) {
    case 2:
      return by(detail::launch_csr_vector<2>);
    case 4:
      return by(detail::launch_csr_vector<4>);
    case 8:
      return by(detail::launch_csr_vector<8>);
    case 16:
      return by(detail::launch_csr_vector<16>);
    case 32:
      return by(detail::launch_csr_vector<32>);
    default:
      throw std::runtime_error("csr_vector: a row has 2, 4, 8, 16 or 32 threads");
  }
}

}  // namespace ndp_tuned
