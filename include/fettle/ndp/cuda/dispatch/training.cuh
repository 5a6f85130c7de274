// training: copies of device memory, and the time that a computation takes on its stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/recording.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Two events of the calling thread and device.
class stopwatch {
 public:
  explicit stopwatch(const computation& named) {
    check(named, cudaEventCreate(&start_), "making an event");
    check(named, cudaEventCreate(&stop_), "making an event");
  }
  ~stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  /// Seconds that `work` takes on the stream, no less than events can tell: what launches nothing
  /// takes a time, too, and the tuner refuses one of 0. Waits for it.
  template <typename Work>
  [[nodiscard]] double time(cudaStream_t stream, const computation& named, const Work& work) {
    check(named, cudaEventRecord(start_, stream), "recording an event");
    work();
    check(named, cudaEventRecord(stop_, stream), "recording an event");
    check(named, cudaEventSynchronize(stop_), "running the computation");
    float milliseconds = 0;
    check(named, cudaEventElapsedTime(&milliseconds, start_, stop_), "reading the time");
    return std::max(static_cast<double>(milliseconds) * 1e-3, resolution);
  }

 private:
  static constexpr double resolution = 0.5e-6;

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

struct training {
  /// Variants return the seconds that they take on the stream.
  static constexpr bool times_calls = true;

  static constexpr computation named{"training"};

  /// Whether the processor can wait for the stream and read what was written: not in a capture or a
  /// recording.
  [[nodiscard]] static bool can_wait(const platform::cuda& on) {
    return recording::current() == nullptr && !is_capturing(named, on.stream);
  }

  template <typename T, typename Stored>
  static void read(const platform::cuda& on, const T* from, index_t count, Stored* to) {
    copy(on, from, count, to);
  }
  template <typename Stored, typename T>
  static void write(const platform::cuda& on, const Stored* from, index_t count, T* to) {
    copy(on, from, count, to);
  }
  template <typename T>
  static void poison(const platform::cuda& on, T* data, index_t count, int byte) {
    if (count <= 0) return;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    check(named, cudaMemsetAsync(data, byte, bytes, on.stream), "filling memory");
  }

  /// Seconds of one run; of several where that is possible and one is too short to time.
  template <typename Work>
  [[nodiscard]] static double seconds(const platform::cuda& on, bool repeatable, const Work& work) {
    constexpr double enough = 200e-6;  // 400 times the events' resolution
    try {
      stopwatch clock(named);
      const double once = clock.time(on.stream, named, work);
      const int times = static_cast<int>(std::clamp(enough / std::max(once, 1e-7), 1.0, 100.0));
      if (!repeatable || times == 1) return once;
      return clock.time(on.stream, named, [&] {
        for (int i = 0; i < times; ++i) work();
      }) / times;
    } catch (...) {
      end_where_lost();
      throw;
    }
  }

 private:
  template <typename From, typename To>
  static void copy(const platform::cuda& on, const From* from, index_t count, To* to) {
    static_assert(sizeof(From) == sizeof(To) && std::is_trivially_copyable_v<From>);
    if (count <= 0) return;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(From);
    check(named, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on.stream), "copying memory");
    check(named, cudaStreamSynchronize(on.stream), "copying memory");
  }

  // A kernel that has failed takes the whole GPU context down: nothing that follows could be
  // measured. The tuner sees a variant that crashed, and starts the program again without it.
  static void end_where_lost() {
    static_cast<void>(cudaGetLastError());
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "fettle: the GPU can no longer be used: %s\n", cudaGetErrorString(status));
    std::abort();
  }
};

}  // namespace fettle::ndp::cuda::detail
