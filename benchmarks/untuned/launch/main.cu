// What a call costs the host on CUDA: prepared, unprepared, and as a plain launch of the same
// kernel with the same arguments, which is what <<<>>> becomes.
//
// Calls of computations so small that kernels are shorter than launches, in batches that the GPU's
// queue has room for; the three kinds alternate, and each keeps the median of its batches. The
// kernel and its arguments are those of a capture of the prepared call.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/prepare.hpp>

#include "../../common/ndp/device.cuh"
#include "../../common/record.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_gpu::check;
using ndp_gpu::device_array;

namespace {

constexpr int batch = 100;
constexpr int rounds = 101;

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

/// The only kernel of a prepared computation, with its arguments.
class captured_kernel {
 public:
  template <typename Step>
  captured_kernel(cudaStream_t stream, const Step& step) : stream_(stream) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing");
    step();
    check(cudaStreamEndCapture(stream, &graph_), "capturing");
    std::size_t count = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphGetNodes(graph_, &node, &count), "cudaGraphGetNodes");
    check(cudaGraphKernelNodeGetParams(node, &its_), "cudaGraphKernelNodeGetParams");
  }
  ~captured_kernel() { cudaGraphDestroy(graph_); }
  captured_kernel(const captured_kernel&) = delete;
  captured_kernel& operator=(const captured_kernel&) = delete;

  void operator()() const {
    check(cudaLaunchKernel(its_.func, its_.gridDim, its_.blockDim, its_.kernelParams,
                           its_.sharedMemBytes, stream_),
          "a plain launch");
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaKernelNodeParams its_{};
};

/// Nanoseconds of the host for each call of a batch.
template <typename Call>
double nanoseconds(cudaStream_t stream, const Call& call) {
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < batch; ++i) call();
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - begin).count() / batch;
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

template <typename E, typename D>
void measure(const char* name, cudaStream_t stream, const E& e, const D& destination) {
  const ndp::platform::cuda on{stream};
  const auto step = ndp::prepare(e, destination, on);
  const captured_kernel raw(stream, step);
  std::vector<double> plain, prepared, unprepared;
  for (int round = -3; round < rounds; ++round) {
    const double a = nanoseconds(stream, raw);
    const double b = nanoseconds(stream, [&] { step(); });
    const double c = nanoseconds(stream, [&] { ndp::execute(e, destination, on); });
    if (round < 0) continue;
    plain.push_back(a);
    prepared.push_back(b);
    unprepared.push_back(c);
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const double a = median(plain), b = median(prepared), c = median(unprepared);
  std::printf("%-22s %8zu %10.0f %10.0f %+8.0f %12.0f %+8.0f\n", name, step.launches(), a, b, b - a,
              c, c - a);
  std::string row;
  fettle::json_writer(row)
      .begin_object()
      .field("computation", name)
      .field("launches", static_cast<double>(step.launches()))
      .field("plain_ns", a)
      .field("prepared_ns", b)
      .field("unprepared_ns", c)
      .end_object();
  fettle_benchmarks::record_row(row);
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  std::printf("%s, nanoseconds of the host a call\n", device.name);
  std::printf("%-22s %8s %10s %10s %8s %12s %8s\n", "computation", "launches", "plain", "prepared",
              "", "unprepared", "");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");

  constexpr index_t count = 1024;
  const device_array<double> x(std::vector<double>(count, 1.0));
  const device_array<double> y(count);
  const ndp::sequence<const double> in(x.data(), count);
  const ndp::sequence<double> out(y.data(), count);
  std::vector<int> offsets(101);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<int>(10 * i);
  const device_array<int> begins(offsets);
  const ndp::sequence<const int> starts(begins.data(), 101);
  const auto one = ndp::subsequence(out, 0, 1);
  const auto hundred = ndp::subsequence(out, 0, 100);

  measure("map", stream, ndp::map(ndp::plus{}, in, in), out);
  measure("reduce", stream, ndp::reduce(ndp::plus{}, in, 0.0), one);
  measure("scan", stream, ndp::scan(ndp::plus{}, in, 0.0), out);
  measure("map>reduce, split", stream,
          ndp::map(row_sum{}, ndp::split(ndp::subsequence(in, 0, 1000), 10)), hundred);
  measure("map>reduce, nest", stream,
          ndp::map(row_sum{}, ndp::nest(ndp::subsequence(in, 0, 1000), starts)), hundred);
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return 0;
}
