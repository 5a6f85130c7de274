// call_facts: what CUDA says of the calling thread's device and of a computation's stream, asked
// once a call. Each question costs some ten nanoseconds, and the parts of a computation ask several
// times: the choice of a kernel, its counters, its temporaries.
#pragma once

#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Answers of the calling thread, good while a call_scope lives; outside of one they are asked for
/// every time.
struct call_facts {
  bool in_call = false;
  bool knows_device = false;
  bool knows_capture = false;
  bool knows_id = false;
  int device = 0;
  cudaStream_t stream = nullptr;  // whose status and id these are
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;

  [[nodiscard]] static call_facts& of_thread() noexcept {
    thread_local constinit call_facts facts;
    return facts;
  }

  [[nodiscard]] cudaError_t ask_device(int& answer) noexcept {
    if (!(in_call && knows_device)) {
      const cudaError_t status = cudaGetDevice(&device);
      if (status != cudaSuccess) return status;
      knows_device = true;
    }
    answer = device;
    return cudaSuccess;
  }

  [[nodiscard]] cudaError_t ask_capture(cudaStream_t of, cudaStreamCaptureStatus& answer) noexcept {
    turn_to(of);
    if (!(in_call && knows_capture)) {
      const cudaError_t status = cudaStreamIsCapturing(of, &capture);
      if (status != cudaSuccess) return status;
      knows_capture = true;
    }
    answer = capture;
    return cudaSuccess;
  }

  /// Not of a stream that is captured: CUDA refuses the question, and the capture is lost.
  [[nodiscard]] cudaError_t ask_id(cudaStream_t of, unsigned long long& answer) noexcept {
    turn_to(of);
    if (!(in_call && knows_id)) {
      const cudaError_t status = cudaStreamGetId(of, &id);
      if (status != cudaSuccess) return status;
      knows_id = true;
    }
    answer = id;
    return cudaSuccess;
  }

 private:
  void turn_to(cudaStream_t of) noexcept {
    if (stream == of) return;
    stream = of;
    knows_capture = false;
    knows_id = false;
  }
};

/// One call of a computation. Neither the thread's device nor its stream's status changes in it.
class call_scope {
 public:
  call_scope() noexcept : outermost_(!call_facts::of_thread().in_call) {
    if (outermost_) call_facts::of_thread() = {.in_call = true};
  }
  ~call_scope() {
    if (outermost_) call_facts::of_thread().in_call = false;
  }
  call_scope(const call_scope&) = delete;
  call_scope& operator=(const call_scope&) = delete;

 private:
  bool outermost_;
};

}  // namespace fettle::ndp::cuda::detail
