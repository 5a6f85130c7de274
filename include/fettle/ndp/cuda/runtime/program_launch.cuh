// program_launch: what a program needs of a GPU: memory for its intermediate results, and a start
// of all its computations as one launch of a CUDA graph.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <memory>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/kept_memory.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Memory of the device, from the platform's resource, in the order of its stream.
class program_memory {
 public:
  template <typename Results>
  program_memory(const platform::cuda& on, const computation& /*named*/, std::size_t bytes,
                 const Results& /*results*/)
      : on_(on), bytes_(bytes), data_(on.memory.allocate(bytes, on.stream)) {}
  ~program_memory() { on_.memory.deallocate(data_, bytes_, on_.stream); }
  program_memory(const program_memory&) = delete;
  program_memory& operator=(const program_memory&) = delete;

  [[nodiscard]] void* data() const noexcept { return data_; }

 private:
  platform::cuda on_;
  std::size_t bytes_;
  void* data_;
};

/// The first start enqueues the kernels one by one, with all checks. The second one records them
/// into a graph; it and all later starts launch that graph, which owns the program's temporaries.
/// On a stream that is being captured the kernels become part of the capture.
class program_start {
 public:
  program_start() = default;
  program_start(program_start&& other) noexcept
      : memory_(std::move(other.memory_)),
        graph_(std::exchange(other.graph_, nullptr)),
        is_checked_(other.is_checked_) {}
  program_start& operator=(program_start&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(graph_, other.graph_);
    std::swap(is_checked_, other.is_checked_);
    return *this;
  }
  ~program_start() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  }

  /// run(platform) enqueues the kernels.
  template <typename Run>
  void operator()(const platform::cuda& on, const computation& named, const Run& run) {
    if (!is_checked_ || is_capturing(named, on.stream)) {
      run(on);
      is_checked_ = true;
      return;
    }
    if (graph_ == nullptr) {
      memory_ = std::make_unique<kept_memory>(on);
      const kept_memory_scope keeps(*memory_);
      graph_ = recorded(on, named, run);
    }
    check(named, cudaGraphLaunch(graph_, on.stream), "launching the program's graph");
  }

 private:
  /// Recorded on a separate stream, because the default stream cannot be captured.
  template <typename Run>
  [[nodiscard]] static cudaGraphExec_t recorded(const platform::cuda& on, const computation& named,
                                                const Run& run) {
    platform::cuda aside = on;
    check(named, cudaStreamCreateWithFlags(&aside.stream, cudaStreamNonBlocking),
          "creating a stream");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    cudaError_t status = cudaStreamBeginCapture(aside.stream, cudaStreamCaptureModeThreadLocal);
    if (status == cudaSuccess) {
      try {
        run(aside);
      } catch (...) {
        cudaStreamEndCapture(aside.stream, &graph);
        if (graph != nullptr) cudaGraphDestroy(graph);
        cudaStreamDestroy(aside.stream);
        throw;
      }
      status = cudaStreamEndCapture(aside.stream, &graph);
    }
    if (status == cudaSuccess) status = cudaGraphInstantiate(&made, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaStreamDestroy(aside.stream);
    check(named, status, "recording the program's graph");
    return made;
  }

  std::unique_ptr<kept_memory> memory_;
  cudaGraphExec_t graph_ = nullptr;
  bool is_checked_ = false;
};

}  // namespace fettle::ndp::cuda::detail
