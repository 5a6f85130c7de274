// SpMV kernels after Bell and Garland, "Implementing sparse matrix-vector multiplication on
// throughput-oriented processors", SC 2009. Each reads x through `Vector`: by plain loads or by a
// texture.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>

namespace spmv::device {

struct plain_vector {
  const double* x;
  __device__ double operator[](int column) const { return x[column]; }
};

struct texture_vector {
  cudaTextureObject_t x;
  __device__ double operator[](int column) const {
    const int2 words = tex1Dfetch<int2>(x, column);
    return __hiloint2double(words.y, words.x);
  }
};

/// A matrix in CSR form.
struct csr_view {
  int rows;
  const int* offsets;
  const int* columns;
  const double* values;
};

/// A thread a row.
template <class Vector>
__global__ void csr_scalar(csr_view a, Vector x, double* y) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= a.rows) return;
  double sum = 0;
  for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k) sum += a.values[k] * x[a.columns[k]];
  y[row] = sum;
}

/// `Lanes` threads of a warp a row.
template <int Lanes, class Vector>
__global__ void csr_vector(csr_view a, Vector x, double* y) {
  const auto thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto row = static_cast<int>(thread / Lanes);
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  double sum = 0;
  if (row < a.rows)
    for (int k = a.offsets[row] + lane; k < a.offsets[row + 1]; k += Lanes)
      sum += a.values[k] * x[a.columns[k]];
  for (int step = Lanes / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0U, sum, step, Lanes);
  if (row < a.rows && lane == 0) y[row] = sum;
}

/// y = A x by as many threads a row as it has entries on average: 2 to 32. Precondition: there are
/// rows.
template <class Vector>
void launch_csr_vector(const csr_view& a, std::int64_t nonzeros, Vector x, double* y) {
  constexpr unsigned block_size = 256;
  const auto launch = [&]<int Lanes>(std::integral_constant<int, Lanes>) {
    const std::int64_t threads = std::int64_t{a.rows} * Lanes;
    const auto blocks = static_cast<unsigned>((threads + block_size - 1) / block_size);
    csr_vector<Lanes><<<blocks, block_size>>>(a, x, y);
  };
  const std::int64_t mean = nonzeros / a.rows;
  if (mean <= 2) return launch(std::integral_constant<int, 2>{});
  if (mean <= 4) return launch(std::integral_constant<int, 4>{});
  if (mean <= 8) return launch(std::integral_constant<int, 8>{});
  if (mean <= 16) return launch(std::integral_constant<int, 16>{});
  launch(std::integral_constant<int, 32>{});
}

/// A thread a row; neighbours read neighbouring values of a diagonal and of x.
template <class Vector>
__global__ void dia(int rows, int columns_count, int diagonals, std::int64_t stride,
                    const int* offsets, const double* values, Vector x, double* y) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  double sum = 0;
  for (int d = 0; d < diagonals; ++d) {
    const int column = row + offsets[d];
    if (column >= 0 && column < columns_count) sum += values[d * stride + row] * x[column];
  }
  y[row] = sum;
}

template <class Vector>
__global__ void ell(int rows, int width, std::int64_t stride, const int* columns,
                    const double* values, Vector x, double* y) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  double sum = 0;
  for (std::int64_t k = row; k < width * stride; k += stride) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

/// A warp a slice of 32 rows.
template <class Vector>
__global__ void sell(int rows, const std::int64_t* slice_offsets, const int* order,
                     const int* columns, const double* values, Vector x, double* y) {
  const int sorted_row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (sorted_row >= rows) return;
  const int slice = sorted_row / 32;
  double sum = 0;
  for (std::int64_t k = slice_offsets[slice] + sorted_row % 32; k < slice_offsets[slice + 1];
       k += 32)
    sum += values[k] * x[columns[k]];
  y[order[sorted_row]] = sum;
}

}  // namespace spmv::device
