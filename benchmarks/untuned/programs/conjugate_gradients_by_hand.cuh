// An iteration of conjugate gradients as an expert fuses it for a GPU: three kernels, a thread a
// row, in one CUDA graph. Dot products are added up by an atomic addition a block.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>

namespace programs {

struct csr_on_device {
  int rows, nonzeros;
  const double* values;
  const int* columns;
  const int* offsets;
};
struct gradient_vectors {
  double *x, *r, *d, *rr;
};
inline constexpr int by_hand_threads = 256;

/// Adds the block's sum to *total.
__device__ inline void add_to(double* total, double value) {
  using reduction = cub::BlockReduce<double, by_hand_threads>;
  __shared__ typename reduction::TempStorage room;
  const double sum = reduction(room).Sum(value);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

/// q = A d, and d . q; forgets the r . r of the iteration before last.
__global__ inline void by_hand_product(csr_on_device a, gradient_vectors s, double* q, double* dq,
                                       double* rr_next) {
  const int i = blockIdx.x * by_hand_threads + threadIdx.x;
  if (i == 0) *rr_next = 0;
  double product = 0;
  if (i < a.rows) {
    double sum = 0;
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) sum += a.values[k] * s.d[a.columns[k]];
    q[i] = sum;
    product = sum * s.d[i];
  }
  add_to(dq, product);
}

/// x += alpha d, r -= alpha q, and the new r . r.
__global__ inline void by_hand_step(int rows, gradient_vectors s, const double* q, const double* dq,
                                    double* rr_next) {
  const int i = blockIdx.x * by_hand_threads + threadIdx.x;
  const double alpha = *dq == 0 ? 0 : *s.rr / *dq;
  double square = 0;
  if (i < rows) {
    s.x[i] += alpha * s.d[i];
    const double r = s.r[i] - alpha * q[i];
    s.r[i] = r;
    square = r * r;
  }
  add_to(rr_next, square);
}

/// d = r + beta d. The next iteration's r . r lies where `rr_next` does.
__global__ inline void by_hand_direction(int rows, gradient_vectors s, double* dq,
                                         const double* rr_next) {
  const int i = blockIdx.x * by_hand_threads + threadIdx.x;
  if (i < rows) s.d[i] = s.r[i] + (*s.rr == 0 ? 0 : *rr_next / *s.rr) * s.d[i];
  if (i == 0) *dq = 0;
}
__global__ inline void by_hand_advance(double* rr, const double* rr_next) { *rr = *rr_next; }

class conjugate_gradients_by_hand {
 public:
  conjugate_gradients_by_hand(cudaStream_t stream, const csr_on_device& a,
                              const gradient_vectors& s)
      : stream_(stream) {
    require(cudaMalloc(&room_, (static_cast<std::size_t>(a.rows) + 2) * sizeof(double)));
    require(cudaMemset(room_, 0, 2 * sizeof(double)));
    double* const dq = room_;
    double* const rr_next = room_ + 1;
    double* const q = room_ + 2;
    const int blocks = (a.rows + by_hand_threads - 1) / by_hand_threads;
    cudaStream_t aside = nullptr;
    cudaGraph_t graph = nullptr;
    require(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
    require(cudaStreamBeginCapture(aside, cudaStreamCaptureModeThreadLocal));
    by_hand_product<<<blocks, by_hand_threads, 0, aside>>>(a, s, q, dq, rr_next);
    by_hand_step<<<blocks, by_hand_threads, 0, aside>>>(a.rows, s, q, dq, rr_next);
    by_hand_direction<<<blocks, by_hand_threads, 0, aside>>>(a.rows, s, dq, rr_next);
    by_hand_advance<<<1, 1, 0, aside>>>(s.rr, rr_next);
    require(cudaStreamEndCapture(aside, &graph));
    require(cudaGraphInstantiate(&start_, graph, 0));
    require(cudaGraphDestroy(graph));
    require(cudaStreamDestroy(aside));
  }
  ~conjugate_gradients_by_hand() {
    cudaGraphExecDestroy(start_);
    cudaFree(room_);
  }
  conjugate_gradients_by_hand(const conjugate_gradients_by_hand&) = delete;
  conjugate_gradients_by_hand& operator=(const conjugate_gradients_by_hand&) = delete;

  void operator()() const { require(cudaGraphLaunch(start_, stream_)); }

 private:
  static void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }

  cudaStream_t stream_;
  double* room_ = nullptr;
  cudaGraphExec_t start_ = nullptr;
};

}  // namespace programs
