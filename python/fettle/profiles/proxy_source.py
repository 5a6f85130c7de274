"""The application proxies as programs: a kernel for each proxy and intensity, in CUDA and in C++.

A kernel repeats five groups of four instructions. As many groups as the intensity says are of the
proxy's kind, the others are integer arithmetic, which no proxy counts.
"""

from __future__ import annotations

from fettle.profiles.proxies import INTENSITIES, PROXIES

_KERNEL = r"""
template <int kind, int intensity>
@QUALIFIER@ proxy(@PARAMETERS@) {
  @BEGIN@
  float x = 1.0f + i;
  double y = 1.0 + i;
  unsigned z = i;
  for (unsigned r = 0; r < rounds; ++r) {
    @UNROLL@
    for (int group = 0; group < 5; ++group) {
      if (group >= intensity) {
        z = z * 1664525u + 1013904223u;
        z = z ^ (z >> 9);
        z = z * 22695477u + 1u;
        z = z ^ (z << 5);
      } else if (kind == 0) {
        x = x * 0.999f + 0.5f;
        x = x * 0.998f + 0.25f;
        x = x * 0.997f + 0.125f;
        x = x * 0.996f + 0.5f;
      } else if (kind == 1) {
        y = y * 0.999 + 0.5;
        y = y * 0.998 + 0.25;
        y = y * 0.997 + 0.125;
        y = y * 0.996 + 0.5;
      } else if (kind == 2) {
        @ATOMICS@
      } else if (kind == 3) {
        const unsigned at = (i + (5 * r + group) * @STRIDE@) & (n - 1);
        x += a[at];
        x += a[at ^ (n >> 1)];
        a[at ^ (n >> 2)] = x;
        a[at ^ (n >> 3)] = x;
      } else {
        x += tile[(@LANE@ + r) & 1023];
        x += tile[(@LANE@ + 5 * r + group) & 1023];
        tile[@LANE@ ^ 1] = x;
        tile[@LANE@] = x;
      }
    }
  }
  @END@
}
"""

_CUDA = r"""
#include <cstdio>
@KERNEL@
template <int kind, int intensity>
void launch(float* a, unsigned* counts, unsigned n) {
  proxy<kind, intensity><<<264, 256>>>(a, counts, n, 256);
}

int main() {
  const unsigned n = 1u << 26;
  float* a = nullptr;
  unsigned* counts = nullptr;
  if (cudaMalloc(&a, n * sizeof(float)) != cudaSuccess) return 2;
  if (cudaMalloc(&counts, 4096 * sizeof(unsigned)) != cudaSuccess) return 2;
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(counts, 0, 4096 * sizeof(unsigned));
  @CALLS@
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""

_PROCESSOR = r"""
#include <atomic>
#include <cstdlib>

static float tile[1024];
static std::atomic<unsigned> counts[1024];
@KERNEL@
int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int kind = std::atoi(argv[1]);
  const int intensity = std::atoi(argv[2]);
  float* a = static_cast<float*>(std::calloc(1u << 25, sizeof(float)));
  if (a == nullptr) return 2;
  double sum = 0;
  @CALLS@
  return sum == 42 ? 1 : 0;
}
"""


def cuda_source() -> str:
    """A program that launches each proxy with each intensity once; its kernels are proxy<k, i>."""
    kernel = _filled(
        _KERNEL,
        QUALIFIER="__global__ void",
        PARAMETERS="float* a, unsigned* counts, unsigned n, unsigned rounds",
        BEGIN="__shared__ float tile[1024];\n"
        "  __shared__ unsigned shared_counts[1024];\n"
        "  for (unsigned t = threadIdx.x; t < 1024; t += blockDim.x) {\n"
        "    tile[t] = 1.0f;\n    shared_counts[t] = 0;\n  }\n  __syncthreads();\n"
        "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;",
        UNROLL="#pragma unroll",
        ATOMICS="atomicAdd(&counts[(i + r) & 4095], 1u);\n"
        "        z += atomicAdd(&counts[(i + r + group) & 4095], 1u);\n"
        "        atomicAdd(&shared_counts[(i + r) & 1023], 1u);\n"
        "        z += atomicAdd(&shared_counts[(i + group) & 1023], 1u);",
        STRIDE="67584u",
        LANE="threadIdx.x",
        END="a[i] = x + static_cast<float>(y) + z + tile[z & 1023] + shared_counts[z & 1023];",
    )
    calls = "\n  ".join(
        f"launch<{kind}, {intensity}>(a, counts, n);"
        for kind in range(len(PROXIES))
        for intensity in INTENSITIES
    )
    return _filled(_CUDA, KERNEL=kernel, CALLS=calls)


def processor_source() -> str:
    """A program that runs the proxy and the intensity that its two arguments name by number."""
    kernel = _filled(
        _KERNEL,
        QUALIFIER="__attribute__((noinline)) double",
        PARAMETERS="float* a, unsigned n, unsigned rounds",
        BEGIN="const unsigned i = rounds & 1023;",
        UNROLL="",
        ATOMICS="counts[r & 1023].fetch_add(1);\n"
        "        z += counts[(r + group) & 1023].fetch_add(1);\n"
        "        counts[(r + 7) & 1023].fetch_add(1);\n"
        "        z += counts[group].fetch_add(1);",
        STRIDE="40503u",
        LANE="i",
        END="return x + y + z;",
    )
    calls = "\n  ".join(
        f"if (kind == {kind} && intensity == {intensity}) "
        f"sum = proxy<{kind}, {intensity}>(a, 1u << 25, 1u << 22);"
        for kind in range(len(PROXIES))
        for intensity in INTENSITIES
    )
    return _filled(_PROCESSOR, KERNEL=kernel, CALLS=calls)


def _filled(text: str, **parts: str) -> str:
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text
