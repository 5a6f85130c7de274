// The time of what variants put into a CUDA stream, for training: a launch returns at once, so the
// time of a call that does not wait is that of its launches alone.
//
//   struct policy {
//     static constexpr std::string_view name = "sort";
//     using clock = fettle::event_clock;
//   };
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

#include <fettle/measure/event_clock.hpp>

namespace fettle::inline FETTLE_ABI {

/// CUDA, as event_clock_on and check_device need it.
struct cuda_events {
  using status = cudaError_t;
  using event = cudaEvent_t;
  using stream = cudaStream_t;

  static bool succeeded(status code) { return code == cudaSuccess; }
  static const char* text(status code) { return cudaGetErrorString(code); }
  static bool is_lost() {
    cudaGetLastError();
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  static status make(event& made) { return cudaEventCreate(&made); }
  static status record(event which, stream in) { return cudaEventRecord(which, in); }
  static status between(event from, event to, double& seconds) {
    if (const status code = cudaEventSynchronize(to); code != cudaSuccess) return code;
    if (const status code = cudaGetLastError(); code != cudaSuccess) return code;
    float milliseconds = 0;
    const status code = cudaEventElapsedTime(&milliseconds, from, to);
    seconds = 1e-3 * static_cast<double>(milliseconds);
    return code;
  }
  /// Writes more than the L2 cache holds.
  static status empty_cache(stream in) {
    static void* memory = nullptr;
    static int bytes = 0;
    if (memory == nullptr) {
      const status found = cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0);
      if (found != cudaSuccess) return found;
      const status made = cudaMalloc(&memory, 2 * static_cast<std::size_t>(bytes));
      if (made != cudaSuccess) return made;
    }
    return cudaMemsetAsync(memory, 0, 2 * static_cast<std::size_t>(bytes), in);
  }
};

using event_clock = event_clock_on<cuda_events>;

}  // namespace fettle
