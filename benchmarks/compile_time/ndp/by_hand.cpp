// What listing_1.cpp does, by a plain loop or, where nvcc compiles it, by a plain kernel.
#include <cstdint>

#ifdef __CUDACC__

__global__ void multiply_rows(const double* values, const int* columns, const int* offsets,
                              const double* x, double* y, std::int64_t rows) {
  const std::int64_t row = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  double sum = 0;
  for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32) {
    sum += values[k] * x[columns[k]];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
  if (lane == 0) y[row] = sum;
}

void multiply(const double* values, const int* columns, const int* offsets, const double* x,
              double* y, std::int64_t rows) {
  const auto blocks = static_cast<unsigned>((rows + 7) / 8);
  multiply_rows<<<blocks, 256>>>(values, columns, offsets, x, y, rows);
}

#else

void multiply(const double* values, const int* columns, const int* offsets, const double* x,
              double* y, std::int64_t rows) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < rows; ++row) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

#endif
