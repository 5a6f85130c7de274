// Loops over vectors whose sums stay on the device: an iteration of a solver is a row of launches,
// and the host looks at the status now and then only.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "../support/device.cuh"

namespace solvers::device {

using examples::device::array;
using examples::device::check;

enum class status : int { running, converged, failed };

/// What an iteration knows, in device memory.
struct scalars {
  double target = 0;  ///< the norm of the residual that is small enough
  double rho = 0;
  double alpha = 0;
  double beta = 0;
  double omega = 0;
  status state = status::running;

  __device__ void tell_residual(double squared) {
    if (sqrt(squared) <= target) state = status::converged;
  }
  /// `value` is needed; without it there is no result.
  __device__ double needed(double value) {
    if (!isfinite(value)) state = status::failed;
    return value;
  }
};

struct two_sums {
  double first = 0;
  double second = 0;
  __device__ friend two_sums operator+(const two_sums& p, const two_sums& q) {
    return {p.first + q.first, p.second + q.second};
  }
};

constexpr int vector_block = 256;
constexpr unsigned most_vector_blocks = 1024;

/// Adds up the threads' sums in a fixed order. True for one thread of the grid, which then has the
/// total. `partial` has room for a sum of each block, `arrived` is 0 before and afterwards.
template <class Sums>
__device__ bool add_over_grid(Sums& sums, Sums* partial, unsigned* arrived) {
  using reduce = cub::BlockReduce<Sums, vector_block>;
  __shared__ typename reduce::TempStorage storage;
  __shared__ bool is_last;
  const auto plus = [](const Sums& p, const Sums& q) { return p + q; };
  sums = reduce(storage).Reduce(sums, plus);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums;
    __threadfence();
    is_last = atomicAdd(arrived, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
  sums = {};
  for (unsigned n = threadIdx.x; n < gridDim.x; n += vector_block) sums = sums + partial[n];
  sums = reduce(storage).Reduce(sums, plus);
  if (threadIdx.x == 0) *arrived = 0;
  return threadIdx.x == 0;
}

/// Calls body(i, scalars) for i in [0, size), unless the solver has ended, adds up what it returns
/// in a fixed order, and calls body.finish(scalars, sums) once.
template <class Body>
__global__ __launch_bounds__(vector_block) void vector_kernel(int size, Body body, scalars* s,
                                                              two_sums* partial,
                                                              unsigned* arrived) {
  if (s->state != status::running) return;
  two_sums sums;
  for (unsigned i = blockIdx.x * vector_block + threadIdx.x; i < static_cast<unsigned>(size);
       i += gridDim.x * vector_block)
    sums = sums + body(static_cast<int>(i), *s);
  if (add_over_grid(sums, partial, arrived)) body.finish(*s, sums);
}

/// The scalars of a solve and the memory of its sums.
class workspace {
 public:
  explicit workspace(double target) : partial_(most_vector_blocks), arrived_(1), scalars_(1) {
    scalars initial;
    initial.target = target;
    check(cudaMemcpyAsync(scalars_.data(), &initial, sizeof(initial), cudaMemcpyHostToDevice),
          "cudaMemcpyAsync");
    check(cudaMemsetAsync(arrived_.data(), 0, sizeof(unsigned)), "cudaMemsetAsync");
  }

  template <class Body>
  void run(int size, const Body& body) const {
    const unsigned blocks =
        std::min(most_vector_blocks,
                 examples::device::blocks_for(static_cast<std::size_t>(size), vector_block));
    vector_kernel<<<blocks, vector_block>>>(size, body, scalars_.data(), partial_.data(),
                                            arrived_.data());
  }

  scalars now() const { return scalars_.host().front(); }
  status state() const { return now().state; }

 private:
  array<two_sums> partial_;
  array<unsigned> arrived_;
  array<scalars> scalars_;
};

}  // namespace solvers::device
