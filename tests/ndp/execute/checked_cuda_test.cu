// A program compiled with FETTLE_CHECKED: a kernel that reads out of range stops, and the next call
// says so. It takes the GPU's context with it, so nothing runs after it here.
#define FETTLE_CHECKED
#include <cuda_runtime.h>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;

TEST_CASE("an index out of range stops the kernel") {
  double* x = nullptr;
  int* at = nullptr;
  REQUIRE(cudaMalloc(&x, 8 * sizeof(double)) == cudaSuccess);
  REQUIRE(cudaMalloc(&at, 4 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(x, 0, 8 * sizeof(double)) == cudaSuccess);
  const auto gather = [&](const std::vector<int>& indices) {
    cudaMemcpy(at, indices.data(), 4 * sizeof(int), cudaMemcpyHostToDevice);
    ndp::execute<"checked">(ndp::gather(ndp::make_sequence(x, 4), ndp::make_sequence(at, 4)),
                            ndp::make_sequence(x + 4, 4), ndp::platform::cuda{});
    return cudaDeviceSynchronize();
  };
  CHECK(gather({3, 0, 1, 2}) == cudaSuccess);
  CHECK(gather({3, 0, 4, 2}) != cudaSuccess);  // "gather: index out of range (4, limit 4)"
}
