// Six functions to tune on a GPU: polynomials of 1 to 32 terms at each of N numbers, by blocks of
// few or many threads, one or eight numbers a thread.
//
//   functions N
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include <fettle/variant.hpp>
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

namespace {

struct numbers {
  double* data;
  std::size_t count;
};

template <int Terms, int Each>
__global__ void polynomial(double* data, std::size_t count) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * Each + threadIdx.x;
  for (int k = 0; k < Each; ++k) {
    const std::size_t i = first + static_cast<std::size_t>(k) * blockDim.x;
    if (i >= count) return;
    double sum = 0.5;
    const double x = data[i] * 0.25;
    for (int term = 0; term < Terms; ++term) sum = sum * x + 0.125;
    data[i] = sum;
  }
}

template <int Terms, int Threads, int Each>
double run(const numbers& all) {
  constexpr std::size_t of_block = std::size_t{Threads} * Each;
  cudaEvent_t begin{};
  cudaEvent_t end{};
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  const auto blocks = static_cast<unsigned>((all.count + of_block - 1) / of_block);
  polynomial<Terms, Each><<<blocks, Threads>>>(all.data, all.count);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return milliseconds * 1e-3;
}

template <int Terms, typename Function>
void add_variants(Function& f) {
  f.add_variant("few_threads", run<Terms, 32, 1>);
  f.add_variant("many_threads", run<Terms, 1024, 1>);
  f.add_variant("few_threads_eight", run<Terms, 32, 8>);
  f.add_variant("many_threads_eight", run<Terms, 1024, 8>);
  f.add_input_feature("count", [](const numbers& all) { return all.count; });
}

using signature = double(const numbers&);
auto& terms_1 = fettle::tuned<"terms_1", signature>([](auto& f) { add_variants<1>(f); });
auto& terms_2 = fettle::tuned<"terms_2", signature>([](auto& f) { add_variants<2>(f); });
auto& terms_4 = fettle::tuned<"terms_4", signature>([](auto& f) { add_variants<4>(f); });
auto& terms_8 = fettle::tuned<"terms_8", signature>([](auto& f) { add_variants<8>(f); });
auto& terms_16 = fettle::tuned<"terms_16", signature>([](auto& f) { add_variants<16>(f); });
auto& terms_32 = fettle::tuned<"terms_32", signature>([](auto& f) { add_variants<32>(f); });

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: functions N\n");
    return 2;
  }
  numbers all{nullptr, std::strtoull(argv[1], nullptr, 10)};
  if (cudaMalloc(&all.data, all.count * sizeof(double)) != cudaSuccess ||
      cudaMemset(all.data, 0, all.count * sizeof(double)) != cudaSuccess) {
    std::fprintf(stderr, "no GPU, or no memory of it\n");
    return 1;
  }
  terms_1(all);
  terms_2(all);
  terms_4(all);
  terms_8(all);
  terms_16(all);
  terms_32(all);
  return 0;
}
