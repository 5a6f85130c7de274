// captured_counters: counters with room and queue for kernels that the user captures into a CUDA
// graph.
//
// Such a kernel may run at any time on any stream, so each has a separate counter, which the
// graph retains: it comes back when the graph and all that was instantiated from it are gone. (In
// memory of the graph it would cost five nodes around a kernel, which take longer than a small
// kernel.)
#pragma once

#include <array>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <mutex>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/kept_counter.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/relaxed_capture.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Those of one device. Never destroyed: graphs give them back until the program ends.
class captured_counters {
 public:
  /// One for a kernel that is put on the stream while it is captured; null where CUDA refuses.
  [[nodiscard]] static kept_counter* take(const computation& named, cudaStream_t stream) {
    int device = 0;
    check(named, call_facts::of_thread().ask_device(device), "asking for the current GPU");
    static auto& devices = *new std::array<captured_counters, 64>;
    if (device >= static_cast<int>(devices.size())) return nullptr;
    captured_counters& from = devices[static_cast<std::size_t>(device)];
    kept_counter* const counter = from.take_free();
    if (counter == nullptr || is_retained(stream, std::make_unique<holding>(counter, &from))) {
      return counter;
    }
    cudaGetLastError();  // taken note of here: the next call's check must not find it
    return nullptr;
  }

 private:
  static constexpr std::size_t made_at_once = 8;

  /// Gives the counter back. CUDA's threads destroy it, which may not call CUDA.
  struct holding {
    kept_counter* counter;
    captured_counters* of;

    holding(kept_counter* its, captured_counters* from) : counter(its), of(from) {}
    ~holding() {
      const std::lock_guard<std::mutex> guard(of->lock_);
      of->free_.push_back(counter);
    }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;
  };

  [[nodiscard]] static bool is_retained(cudaStream_t stream, std::unique_ptr<holding> its) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    if (cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph) != cudaSuccess ||
        graph == nullptr) {
      return false;
    }
    cudaUserObject_t object = nullptr;
    const auto destroy = [](void* held) { delete static_cast<holding*>(held); };
    if (cudaUserObjectCreate(&object, its.get(), destroy, 1, cudaUserObjectNoDestructorSync) !=
        cudaSuccess) {
      return false;
    }
    its.release();
    if (cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess) {
      return true;
    }
    cudaUserObjectRelease(object, 1);
    return false;
  }

  /// Null where there is no memory.
  [[nodiscard]] kept_counter* take_free() {
    {
      const std::lock_guard<std::mutex> guard(lock_);
      if (!free_.empty()) {
        kept_counter* const one = free_.back();
        free_.pop_back();
        return one;
      }
    }
    // Without the lock, for which CUDA's threads wait that give counters back.
    kept_counter* const made = make();
    if (made == nullptr) return nullptr;
    const std::lock_guard<std::mutex> guard(lock_);
    made_ += made_at_once;
    free_.reserve(made_);  // so that giving back never allocates
    for (std::size_t i = 1; i < made_at_once; ++i) free_.push_back(made + i);
    return made;
  }

  /// Set on a separate stream, because the thread's may be captured.
  [[nodiscard]] static kept_counter* make() {
    const relaxed_capture relaxed;
    kept_counter* made = nullptr;
    constexpr std::size_t bytes = made_at_once * sizeof(kept_counter);
    if (cudaMalloc(reinterpret_cast<void**>(&made), bytes) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    cudaStream_t aside = nullptr;
    const bool is_set = cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking) == cudaSuccess &&
                        cudaMemsetAsync(made, 0, bytes, aside) == cudaSuccess &&
                        cudaStreamSynchronize(aside) == cudaSuccess;
    if (aside != nullptr) cudaStreamDestroy(aside);
    if (is_set) return made;
    cudaFree(made);
    cudaGetLastError();
    return nullptr;
  }

  std::mutex lock_;
  std::vector<kept_counter*> free_;
  std::size_t made_ = 0;
};

}  // namespace fettle::ndp::cuda::detail
