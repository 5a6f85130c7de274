// What the GPU benchmark needs of CUDA: memory, a stopwatch of events, and a comparison of outputs
// on the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ndp_gpu {

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Device memory that frees itself.
template <typename T>
class device_array {
 public:
  device_array() = default;
  explicit device_array(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc");
  }
  explicit device_array(const std::vector<T>& host) : device_array(host.size()) {
    if (size_ > 0) {
      check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
    }
  }
  device_array(device_array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  device_array& operator=(device_array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~device_array() { cudaFree(data_); }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Bytes of ones: NaN in floating point.
  void poison(cudaStream_t stream) const {
    check(cudaMemsetAsync(data_, 0xFF, size_ * sizeof(T), stream), "cudaMemsetAsync");
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Seconds between two events around n calls, on a stream that was idle before.
class stopwatch {
 public:
  static constexpr double overhead_seconds = 15e-6;

  explicit stopwatch(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  double seconds(const std::function<void()>& run, int n) {
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    check(cudaEventRecord(start_, stream_), "cudaEventRecord");
    for (int i = 0; i < n; ++i) run();
    check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

namespace detail {

template <typename T, typename Expected>
__global__ void count_differences(const T* found, const Expected* expected, std::size_t count,
                                  unsigned* differences) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  unsigned mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    if (!(found[i] == static_cast<T>(expected[i]))) ++mine;  // so that a NaN differs
  }
  if (mine > 0) atomicAdd(differences, mine);
}

}  // namespace detail

/// Whether the first `count` elements are the expected ones; throws for what earlier work on the
/// stream did wrong.
template <typename T, typename Expected>
[[nodiscard]] bool equal(const device_array<T>& found, const Expected* expected, std::size_t count,
                         cudaStream_t stream) {
  if (count == 0) return true;
  const device_array<unsigned> differences(std::vector<unsigned>{0});
  detail::count_differences<<<1024, 256, 0, stream>>>(found.data(), expected, count,
                                                      differences.data());
  check(cudaGetLastError(), "comparing the output");
  unsigned host = 0;
  check(cudaStreamSynchronize(stream), "the computation");
  check(cudaMemcpy(&host, differences.data(), sizeof host, cudaMemcpyDeviceToHost), "download");
  return host == 0;
}

}  // namespace ndp_gpu
