// Variants that launch kernels, on a stream that is one of their arguments: trained and deployed.
#include <cmath>
#include <cuda_runtime.h>
#include <limits>
#include <string>
#include <thrust/device_vector.h>
#include <thrust/tuple.h>
#include <vector>

#include <fettle/variant.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"
#include "support/needs_gpu.hpp"

namespace {

__global__ void add_to(const float* x, float* y, int n, float extra) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    y[i] += x[i] + extra;
  }
}

using arguments = thrust::tuple<const float*, float*, int, cudaStream_t>;

/// A variant: a launch shape. Returns the seconds that the device took.
struct launch {
  int blocks;
  int threads;
  float extra = 0.0F;

  double operator()(const float* x, float* y, int n, cudaStream_t stream) const {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    add_to<<<blocks, threads, 0, stream>>>(x, y, n, extra);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float milliseconds = 0.0F;
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {
      throw std::runtime_error(cudaGetErrorString(status));
    }
    return milliseconds * 1e-3;
  }
};

std::vector<float> on_host(const float* device, int n, cudaStream_t stream) {
  std::vector<float> host(static_cast<std::size_t>(n));
  cudaMemcpyAsync(host.data(), device, host.size() * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  return host;
}

struct device_data {
  explicit device_data(int count) : n(count), x(count, 2.0F), y(count, 1.0F) {
    cudaStreamCreate(&stream);
  }
  ~device_data() { cudaStreamDestroy(stream); }
  int n;
  thrust::device_vector<float> x;
  thrust::device_vector<float> y;
  cudaStream_t stream = nullptr;

  const float* in() const { return thrust::raw_pointer_cast(x.data()); }
  float* out() { return thrust::raw_pointer_cast(y.data()); }
};

std::size_t count_of(const std::vector<std::string>& lines, const std::string& part) {
  std::size_t n = 0;
  for (const std::string& line : lines) n += line.find(part) != std::string::npos ? 1U : 0U;
  return n;
}

}  // namespace

TEST_CASE("kernels in training: reset, verified, a launch that fails and one that is wrong") {
  const test::scratch folder;
  const test::environment_variable log("FETTLE_TRAINING_LOG", folder / "log.jsonl");
  const test::environment_variable request("FETTLE_TRAINING", "function=add");
  device_data data(1 << 22);

  fettle::context cx;
  fettle::code_variant<fettle::policy<"add">, arguments> add(cx);
  add.add_variant("wide", launch{1024, 256});
  add.add_variant("narrow", launch{1, 32});
  add.add_variant("too many threads", launch{1, 4096});
  add.add_variant("wrong", launch{1024, 256, 0.5F});
  add.add_input_feature("n", [](const float*, float*, int n, cudaStream_t) { return n; });
  add.set_reset([](const float*&, float*& y, int& n, cudaStream_t& stream) {
    const std::vector<float> ones(static_cast<std::size_t>(n), 1.0F);
    cudaMemcpyAsync(y, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
  });
  add.set_verify([](const float*, float* y, int n, cudaStream_t s) { return on_host(y, n, s); });
  CHECK(add(data.in(), data.out(), data.n, data.stream) > 0.0);
  CHECK(on_host(data.out(), data.n, data.stream) ==
        std::vector<float>(static_cast<std::size_t>(data.n), 3.0F));

  const std::vector<std::string> lines = test::lines_of(folder / "log.jsonl");
  CHECK(count_of(lines, R"("unit":"returned")") == 1);
  CHECK(count_of(lines, R"("variant":"too many threads","event":"failed","reason":"exception: )") ==
        1);
  CHECK(count_of(lines, R"("variant":"wrong","event":"failed","reason":"wrong result)") == 1);
  CHECK(count_of(lines, R"("variant":"narrow","event":"sample")") >= 1);
  CHECK(count_of(lines, R"("event":"end","outcome":)") == 1);
  CHECK(count_of(lines, R"("best":"wide")") == 1);
}

TEST_CASE("kernels deployed: the model chooses the launch by the size") {
  const test::scratch folder;
  test::split_model model;
  model.function = "deployed";
  model.variants = {"narrow", "wide"};
  model.features = {"n"};
  model.threshold = 1000.0;
  model.range_high = 1e7;
  test::write_model(folder.path(), model);
  fettle::context cx({folder.path(), {}, true});
  fettle::code_variant<fettle::policy<"deployed">, arguments> add(cx);
  add.add_variant("narrow", launch{1, 32});
  add.add_variant("wide", launch{1024, 256});
  add.add_input_feature("n", [](const float*, float*, int n, cudaStream_t) { return n; });
  for (const int n : {1, 100, 100000}) {
    device_data data(n);
    add.fix_inputs(data.in(), data.out(), data.n, data.stream);
    add();
    CHECK(add.last_selection()->variant == (n > 1000 ? "wide" : "narrow"));
    CHECK(on_host(data.out(), n, data.stream) ==
          std::vector<float>(static_cast<std::size_t>(n), 3.0F));
  }
}
