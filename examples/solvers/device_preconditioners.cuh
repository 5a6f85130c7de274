// Preconditioners that a GPU makes and applies: the diagonal, blocks of eight rows along it, and
// the factorised approximate inverse. Each is made from a system and applied to a residual.
#pragma once

#include <cub/device/device_scan.cuh>

#include "device_system.cuh"

namespace solvers::device {

constexpr unsigned row_block = 128;

inline unsigned row_blocks(int rows) {
  return examples::device::blocks_for(static_cast<std::size_t>(rows), row_block);
}

/// The position of column c in row r; -1 where nothing is stored.
__device__ inline int position_of(const csr_view& a, int r, int c) {
  int low = a.offsets[r];
  int high = a.offsets[r + 1];
  const int end = high;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a.columns[middle] < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && a.columns[low] == c ? low : -1;
}

/// Solves the dense system `a` x = b of n rows in place, with partial pivoting, for several right
/// sides, which become the solutions. False where it is singular.
__device__ inline bool solve_dense(double* a, double* b, int n, int right_sides) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
    if (a[pivot * n + k] == 0) return false;
    const auto exchange = [](double& p, double& q) {
      const double kept = p;
      p = q;
      q = kept;
    };
    if (pivot != k) {
      for (int j = 0; j < n; ++j) exchange(a[k * n + j], a[pivot * n + j]);
      for (int j = 0; j < right_sides; ++j)
        exchange(b[k * right_sides + j], b[pivot * right_sides + j]);
    }
    for (int i = 0; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      if (i == k || factor == 0) continue;
      for (int j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (int j = 0; j < right_sides; ++j)
        b[i * right_sides + j] -= factor * b[k * right_sides + j];
    }
  }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < right_sides; ++j) b[k * right_sides + j] /= a[k * n + k];
  return true;
}

__global__ void jacobi_kernel(int size, const double* diagonal, const double* r, double* z) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) z[i] = diagonal[i] == 0 ? r[i] : r[i] / diagonal[i];
}

class jacobi {
 public:
  static constexpr bool is_usable = true;
  explicit jacobi(const system& s) : s_(s) {}
  void apply(const array<double>& r, array<double>& z) const {
    jacobi_kernel<<<row_blocks(s_.size()), row_block>>>(s_.size(), s_.diagonal.data(), r.data(),
                                                        z.data());
  }

 private:
  const system& s_;
};

constexpr int diagonal_block = block_rows;

/// A thread inverts a block; one that is singular becomes its diagonal's inverse.
__global__ void invert_blocks_kernel(csr_view a, const double* diagonal, double* inverses) {
  constexpr int b = diagonal_block;
  const int first = b * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (first >= a.rows) return;
  const int n = min(b, a.rows - first);
  double dense[b * b] = {};
  double inverse[b * b] = {};
  for (int i = 0; i < n; ++i) {
    for (int k = a.offsets[first + i]; k < a.offsets[first + i + 1]; ++k) {
      const int column = a.columns[k] - first;
      if (column >= 0 && column < n) dense[i * n + column] = a.values[k];
    }
    inverse[i * n + i] = 1;
  }
  if (!solve_dense(dense, inverse, n, n))
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double d = diagonal[first + i];
        inverse[i * n + j] = i == j ? (d == 0 ? 1 : 1 / d) : 0;
      }
  for (int k = 0; k < n * n; ++k) inverses[std::size_t{b} * first + k] = inverse[k];
}

__global__ void apply_blocks_kernel(int size, const double* inverses, const double* r, double* z) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= size) return;
  const int first = i / diagonal_block * diagonal_block;
  const int n = min(diagonal_block, size - first);
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += inverses[std::size_t{diagonal_block} * first + (i - first) * n + j] * r[first + j];
  z[i] = sum;
}

class block_jacobi {
 public:
  static constexpr bool is_usable = true;
  explicit block_jacobi(const system& s)
      : size_(s.size()),
        inverses_(static_cast<std::size_t>(size_ + diagonal_block) * diagonal_block) {
    const int blocks = (size_ + diagonal_block - 1) / diagonal_block;
    invert_blocks_kernel<<<row_blocks(blocks), row_block>>>(s.a.view(), s.diagonal.data(),
                                                            inverses_.data());
  }
  void apply(const array<double>& r, array<double>& z) const {
    apply_blocks_kernel<<<row_blocks(size_), row_block>>>(size_, inverses_.data(), r.data(),
                                                          z.data());
  }

 private:
  int size_;
  array<double> inverses_;
};

constexpr int longest_pattern = 16;  ///< entries left of the diagonal that a row of G keeps

/// How many entries row i of G has; they are the last ones up to the diagonal.
__device__ inline int pattern_length(const csr_view& a, int i, int& begin) {
  int end = a.offsets[i];
  while (end < a.offsets[i + 1] && a.columns[end] < i) ++end;
  begin = max(a.offsets[i], end - longest_pattern);
  return end - begin + 1;
}

__global__ void count_patterns_kernel(csr_view a, int* lengths) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int begin = 0;
  if (i <= a.rows) lengths[i] = i < a.rows ? pattern_length(a, i, begin) : 0;
}

/// Row i of G solves A, restricted to the pattern, for the last unit vector.
__global__ void fill_patterns_kernel(csr_view a, const int* offsets, int* columns, double* values) {
  constexpr int most = longest_pattern + 1;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= a.rows) return;
  int begin = 0;
  const int n = pattern_length(a, i, begin);
  double dense[most * most];
  double row[most];
  const auto column_of = [&](int p) { return p + 1 < n ? a.columns[begin + p] : i; };
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q < n; ++q) {
      const int at = position_of(a, column_of(p), column_of(q));
      dense[p * n + q] = at < 0 ? 0 : a.values[at];
    }
    row[p] = p + 1 == n ? 1 : 0;
  }
  if (!solve_dense(dense, row, n, 1) || row[n - 1] == 0)
    for (int p = 0; p < n; ++p) row[p] = p + 1 == n ? 1 : 0;
  const double scale = 1 / sqrt(fabs(row[n - 1]));
  for (int p = 0; p < n; ++p) {
    columns[offsets[i] + p] = column_of(p);
    values[offsets[i] + p] = scale * row[p];
  }
}

/// G^T G with the lower triangle's pattern for G (Kolotilina, Yeremin, SIMAX 1993).
class approximate_inverse {
 public:
  static constexpr bool is_usable = true;
  explicit approximate_inverse(const system& s)
      : size_(s.size()),
        offsets_(static_cast<std::size_t>(size_) + 1),
        offsets_t_(static_cast<std::size_t>(size_) + 1),
        between_(static_cast<std::size_t>(size_)) {
    const array<int> lengths(static_cast<std::size_t>(size_) + 1);
    count_patterns_kernel<<<row_blocks(size_ + 1), row_block>>>(s.a.view(), lengths.data());
    examples::device::with_scratch([&](void* at, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(at, bytes, lengths.data(), offsets_.data(), size_ + 1);
    });
    int entries = 0;
    check(cudaMemcpy(&entries, offsets_.data() + size_, sizeof(int), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    columns_ = array<int>(static_cast<std::size_t>(entries));
    values_ = array<double>(static_cast<std::size_t>(entries));
    columns_t_ = array<int>(static_cast<std::size_t>(entries));
    values_t_ = array<double>(static_cast<std::size_t>(entries));
    fill_patterns_kernel<<<row_blocks(size_), row_block>>>(s.a.view(), offsets_.data(),
                                                           columns_.data(), values_.data());
    transpose(entries);
  }
  void apply(const array<double>& r, array<double>& z) const {
    launch_product<2>({size_, offsets_.data(), columns_.data(), values_.data()}, r.data(),
                      between_.data());
    launch_product<2>({size_, offsets_t_.data(), columns_t_.data(), values_t_.data()},
                      between_.data(), z.data());
  }

 private:
  void transpose(int entries) {
    using spmv::device::check;
    using spmv::device::cusparse;
    std::size_t bytes = 0;
    check(cusparseCsr2cscEx2_bufferSize(
              cusparse(), size_, size_, entries, values_.data(), offsets_.data(), columns_.data(),
              values_t_.data(), offsets_t_.data(), columns_t_.data(), CUDA_R_64F,
              CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes),
          "cusparseCsr2cscEx2_bufferSize");
    check(
        cusparseCsr2cscEx2(cusparse(), size_, size_, entries, values_.data(), offsets_.data(),
                           columns_.data(), values_t_.data(), offsets_t_.data(), columns_t_.data(),
                           CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                           CUSPARSE_CSR2CSC_ALG1, examples::device::scratch(2, bytes)),
        "cusparseCsr2cscEx2");
  }

  int size_;
  array<int> offsets_;
  array<int> columns_;
  array<double> values_;
  array<int> offsets_t_;
  array<int> columns_t_;
  array<double> values_t_;
  mutable array<double> between_;
};

}  // namespace solvers::device
