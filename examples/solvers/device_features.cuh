// features.hpp on a GPU: one launch, whose last block writes the numbers to the host's memory.
#pragma once

#include "device_system.cuh"
#include "features.hpp"

namespace solvers::device {

/// Eight threads read a row together.
inline __global__ __launch_bounds__(vector_block) void numbers_kernel(
    csr_view a, const double* diagonal, double usual, matrix_numbers* partial, unsigned* arrived,
    matrix_numbers* result) {
  constexpr int lanes = 8;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const int stride = static_cast<int>(gridDim.x) * (vector_block / lanes);
  matrix_numbers found;
  // All threads of a warp take part in every exchange.
  const int rows = (a.rows + 31) / 32 * 32;
  for (int r =
           (static_cast<int>(blockIdx.x) * vector_block + static_cast<int>(threadIdx.x)) / lanes;
       r < rows; r += stride) {
    const bool is_row = r < a.rows;
    const int first = is_row ? a.offsets[r] : 0;
    const int last = is_row ? a.offsets[r + 1] : 0;
    row_numbers row{.diagonal = is_row ? diagonal[r] : 0};
    for (int k = first + lane; k < last; k += lanes) row.add(r, a.columns[k], a.values[k]);
    for (int step = lanes / 2; step > 0; step /= 2) {
      row.others += __shfl_down_sync(~0U, row.others, step, lanes);
      row.count += __shfl_down_sync(~0U, row.count, step, lanes);
      row.same += __shfl_down_sync(~0U, row.same, step, lanes);
      row.block += __shfl_down_sync(~0U, row.block, step, lanes);
    }
    if (is_row && lane == 0) found.add(row, usual, first < last ? r - a.columns[first] : 0);
  }
  if (add_over_grid(found, partial, arrived)) *result = found;
}

/// As the host's.
inline matrix_numbers numbers_of(const system& s) {
  static const array<matrix_numbers> partial(most_vector_blocks);
  static const array<unsigned> arrived(std::vector<unsigned>(1));
  static matrix_numbers* const result = [] {
    matrix_numbers* made = nullptr;
    check(cudaMallocHost(&made, sizeof(matrix_numbers)), "cudaMallocHost");
    return made;
  }();
  const unsigned blocks =
      std::min(4 * examples::device::multiprocessors(),
               examples::device::blocks_for(static_cast<std::size_t>(s.size()) * 8, vector_block));
  numbers_kernel<<<std::min(blocks, most_vector_blocks), vector_block>>>(
      s.a.view(), s.diagonal.data(), usual_diagonal(s.host), partial.data(), arrived.data(),
      result);
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return *result;
}

inline double feature_of(const system& s, number which) {
  return value_of(which, s.numbers.get(which, [&] { return numbers_of(s); }), s.host);
}

}  // namespace solvers::device
