"""Micro-benchmarks of a GPU, as device features: what its driver does not say.

(dissertation, table 3.1, the Custom set). A small CUDA program, compiled where nvcc is. It takes
about two seconds; every figure is the best of five.
"""

from __future__ import annotations

import math
import os
import tempfile
import warnings
from pathlib import Path

from fettle.data.training_set import TrainingWarning
from fettle.profiles.profiler import ProfilerError, Start, built, found, run

_WHAT = "the GPU's micro-benchmarks"
_SOURCE = r"""
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned blocks = 1056, threads = 256, workers = blocks * threads;

__global__ void nothing() {}
__global__ void copy(const float4* from, float4* to, unsigned n) {
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < n; i += workers) to[i] = from[i];
}
__global__ void gather(const float* from, float* to, unsigned n) {
  float sum = 0;
  unsigned at = blockIdx.x * threads + threadIdx.x;
  for (int k = 0; k < 64; ++k) {
    at = at * 1664525u + 1013904223u;
    sum += from[(at >> 4) & (n - 1)];
  }
  to[blockIdx.x * threads + threadIdx.x] = sum;
}
__global__ void read_again(const float4* from, float* to, unsigned n, int rounds) {
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = blockIdx.x * threads + threadIdx.x; i < n; i += workers) {
      const float4 one = __ldcg(from + i);
      sum += one.x + one.y + one.z + one.w;
    }
  }
  to[blockIdx.x * threads + threadIdx.x] = sum;
}
__global__ void global_atomics(unsigned* counts, unsigned mask) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  for (unsigned k = 0; k < 64; ++k) atomicAdd(counts + ((i + k * 37) & mask), 1u);
}
__global__ void shared_atomics(unsigned* counts, unsigned mask) {
  __shared__ unsigned own[1024];
  for (unsigned t = threadIdx.x; t < 1024; t += threads) own[t] = 0;
  __syncthreads();
  for (unsigned k = 0; k < 256; ++k) atomicAdd(own + ((threadIdx.x + k * 37) & mask), 1u);
  __syncthreads();
  atomicAdd(counts, own[threadIdx.x]);
}
template <typename Real>
__global__ void multiply_add(Real* to, Real by) {
  Real a = threadIdx.x, b = 1, c = 2, d = 3;
  for (int k = 0; k < 2048; ++k) {
    a = a * by + Real(0.5);
    b = b * by + Real(0.5);
    c = c * by + Real(0.5);
    d = d * by + Real(0.5);
  }
  to[blockIdx.x * threads + threadIdx.x] = a + b + c + d;
}

template <typename Launch>
double seconds(Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  launch();
  float best = 1e30f;
  for (int k = 0; k < 5; ++k) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float taken = 0;
    cudaEventElapsedTime(&taken, begin, end);
    best = taken < best ? taken : best;
  }
  return best * 1e-3;
}

int main() {
  const unsigned n = 1u << 26;  // floats: 256 MiB, beyond all caches
  const unsigned few = 1u << 20;  // 4 MiB, within the second level
  float *from = nullptr, *to = nullptr;
  unsigned* counts = nullptr;
  if (cudaMalloc(&from, n * sizeof(float)) != cudaSuccess) return 2;
  if (cudaMalloc(&to, n * sizeof(float)) != cudaSuccess) return 2;
  if (cudaMalloc(&counts, sizeof(unsigned) << 20) != cudaSuccess) return 2;
  cudaMemset(from, 0, n * sizeof(float));
  const double empty = seconds([] {
    for (int k = 0; k < 100; ++k) nothing<<<1, 32>>>();
  });
  std::printf("launch_us %g\n", empty * 1e6 / 100);
  const auto wide = reinterpret_cast<float4*>(from);
  const double copied = seconds([&] {
    copy<<<blocks, threads>>>(wide, reinterpret_cast<float4*>(to), n / 4);
  });
  std::printf("copy_gbps %g\n", 8.0 * n / copied * 1e-9);
  const double gathered = seconds([&] { gather<<<blocks, threads>>>(from, to, n); });
  std::printf("gather_gbps %g\n", 4.0 * workers * 64 / gathered * 1e-9);
  const double again = seconds([&] { read_again<<<blocks, threads>>>(wide, to, few / 4, 64); });
  std::printf("l2_gbps %g\n", 4.0 * few * 64 / again * 1e-9);
  const double atomics[] = {
      seconds([&] { global_atomics<<<blocks, threads>>>(counts, (1u << 20) - 1); }),
      seconds([&] { global_atomics<<<blocks, threads>>>(counts, 0); }),
      seconds([&] { shared_atomics<<<blocks, threads>>>(counts, 1023); }),
      seconds([&] { shared_atomics<<<blocks, threads>>>(counts, 0); })};
  const char* names[] = {"global_atomic_ns", "global_atomic_contended_ns", "shared_atomic_ns",
                         "shared_atomic_contended_ns"};
  for (int k = 0; k < 4; ++k) {
    std::printf("%s %g\n", names[k], atomics[k] * 1e9 / workers / (k < 2 ? 64 : 256));
  }
  const double operations = 8.0 * 2048 * workers * 1e-9;
  const auto doubles = reinterpret_cast<double*>(to);
  std::printf("measured_gflops_sp %g\n", operations / seconds([&] {
    multiply_add<float><<<blocks, threads>>>(to, 0.999f);
  }));
  std::printf("measured_gflops_dp %g\n", operations / seconds([&] {
    multiply_add<double><<<blocks, threads>>>(doubles, 0.999);
  }));
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  std::printf("cuda_version %g\ncuda_driver_version %g\n", runtime / 1000. , driver / 1000.);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


def measured_gpu(seconds: float = 300.0) -> dict[str, float]:
    """The first GPU's micro-benchmarks, and CUDA's versions; nothing where there is no nvcc.

    What fails is left out with a warning.
    """
    cuda = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    nvcc = found("nvcc", f"{cuda}/bin")
    if not nvcc:
        return {}
    try:
        with tempfile.TemporaryDirectory(prefix="fettle-gpu-") as folder:
            compiler = [nvcc, "-O3", "-std=c++17", "-arch=native"]
            program = built(
                _SOURCE, "machine.cu", compiler, Path(folder), "the GPU's micro-benchmarks"
            )
            code, printed = run([str(program)], Start(), "", seconds, "the GPU's micro-benchmarks")
        if code:
            raise ProfilerError(f"they ended with status {code}")
        return _read(printed)
    except ProfilerError as error:
        warnings.warn(f"{_WHAT} are left out: {error}", TrainingWarning, stacklevel=2)
        return {}


def _read(printed: str) -> dict[str, float]:
    features: dict[str, float] = {}
    for line in printed.splitlines():
        name, _, number = line.partition(" ")
        try:
            value = float(number)
        except ValueError:
            continue
        if math.isfinite(value) and value > 0:
            features[name] = value
    return features
