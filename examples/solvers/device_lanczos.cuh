// lanczos.hpp on a GPU: all steps in one launch, whose blocks wait for each other twice a step.
#pragma once

#include <cooperative_groups.h>

#include "device_system.cuh"
#include "lanczos.hpp"

namespace solvers::device {

constexpr int lanczos_block = 512;

/// Sums over the grid, of which every thread learns the total. Two take turns: a block may write
/// one while another still reads the other.
class grid_sum {
 public:
  __device__ explicit grid_sum(double* partial) : partial_(partial) {}

  __device__ double operator()(double mine) {
    using reduce = cub::BlockReduce<double, lanczos_block>;
    __shared__ typename reduce::TempStorage storage;
    __shared__ double total;
    double* const partial = partial_ + (is_second_ ? gridDim.x : 0);
    is_second_ = !is_second_;
    mine = reduce(storage).Sum(mine);
    if (threadIdx.x == 0) partial[blockIdx.x] = mine;
    cooperative_groups::this_grid().sync();
    mine = 0;
    for (unsigned n = threadIdx.x; n < gridDim.x; n += lanczos_block) mine += partial[n];
    mine = reduce(storage).Sum(mine);
    if (threadIdx.x == 0) total = mine;
    __syncthreads();
    return total;
  }

 private:
  double* partial_;
  bool is_second_ = false;
};

/// `memory` holds four vectors; alpha and beta of each step go to `coefficients`. Eight threads
/// read a row together.
inline __global__ __launch_bounds__(lanczos_block,
                                    2) void lanczos_kernel(csr_view a, const double* diagonal,
                                                           double* memory, double* partial,
                                                           double* coefficients) {
  constexpr int lanes = 8;
  const int thread = static_cast<int>(blockIdx.x) * lanczos_block + static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(gridDim.x) * lanczos_block;
  const int lane = thread % lanes;
  const int n = a.rows;
  double* w = memory;  // of which v = w / beta is the step's vector
  double* before = w + n;
  double* const u = before + n;  // w in the matrix's units
  double* const q = u + n;
  grid_sum sum(partial);
  double square = 0;
  for (int i = thread; i < n; i += threads) {
    const double scale = scale_of(diagonal[i]);
    w[i] = start_of(i) * scale;
    u[i] = w[i] * scale;
    before[i] = 0;
    square += w[i] * w[i];
  }
  double beta = sqrt(sum(square));
  for (int step = 0; step < lanczos_steps; ++step) {
    double product = 0;
    // All threads of a warp take part in every exchange.
    for (int r = thread / lanes; r < (n + 31) / 32 * 32; r += threads / lanes) {
      double row = 0;
      if (r < n)
        for (int k = a.offsets[r] + lane; k < a.offsets[r + 1]; k += lanes)
          row += a.values[k] * u[a.columns[k]];
      for (int apart = lanes / 2; apart > 0; apart /= 2)
        row += __shfl_down_sync(~0U, row, apart, lanes);
      if (r >= n || lane != 0) continue;
      q[r] = row * scale_of(diagonal[r]) / beta;
      product += q[r] * w[r];
    }
    const double alpha = sum(product) / beta;
    square = 0;
    for (int i = thread; i < n; i += threads) {
      const double v = w[i] / beta;
      const double next = q[i] - alpha * v - (step == 0 ? 0 : beta) * before[i];
      w[i] = v;
      before[i] = next;
      u[i] = next * scale_of(diagonal[i]);
      square += next * next;
    }
    beta = sqrt(sum(square));
    if (thread == 0) {
      coefficients[2 * step] = alpha;
      coefficients[2 * step + 1] = beta;
    }
    if (!(beta > 1e-10)) return;
    double* const next = before;
    before = w;
    w = next;
  }
}

/// As the host's.
inline krylov_numbers lanczos(const system& s) {
  if (!s.host.is_symmetric || s.size() == 0) return {};
  constexpr std::size_t count = 2 * lanczos_steps;
  static double* const coefficients = [] {
    double* made = nullptr;
    check(cudaMallocHost(&made, count * sizeof(double)), "cudaMallocHost");
    return made;
  }();
  const auto size = static_cast<std::size_t>(s.size());
  const unsigned blocks = std::min(2 * examples::device::multiprocessors(),
                                   examples::device::blocks_for(size * 8, lanczos_block));
  auto* partial = static_cast<double*>(
      examples::device::scratch(3, (std::size_t{2} * blocks + 4 * size) * sizeof(double)));
  double* memory = partial + 2 * blocks;
  csr_view a = s.a.view();
  const double* diagonal = s.diagonal.data();
  double* found = coefficients;
  void* arguments[] = {&a, &diagonal, &memory, &partial, &found};
  std::fill_n(coefficients, count, 0.0);
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&lanczos_kernel), blocks,
                                    lanczos_block, arguments, 0, nullptr),
        "cudaLaunchCooperativeKernel");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  tridiagonal t;
  for (std::size_t k = 0; k < lanczos_steps; ++k) {
    t.diagonal.push_back(coefficients[2 * k]);
    t.beside.push_back(coefficients[2 * k + 1]);
    if (!(coefficients[2 * k + 1] > 1e-10)) break;
  }
  return krylov_numbers(t);
}

inline double feature_of(const system& s, krylov which) {
  return s.krylov.get(which, [&] { return lanczos(s); })[which];
}

}  // namespace solvers::device
