// arrival_counter: what the blocks of a kernel share in device memory: a counter by which each
// finds out whether it is the last to finish, a tally, and room for results that the last block
// reads. Counter and tally are zero before and after the kernel.
//
// Every stream has its counter, in memory that is zero since the program was loaded, and
// the first streams have room too: kernels on one stream come one after the other, and each leaves
// zero behind, so nothing has to be set or allocated before a kernel. Threads that use one stream
// take turns, because a kernel may leave there what the next one of its computation takes. A
// recording and a program's graph have one with room and queue, set once, because their replays,
// too, leave zero behind. A kernel that the user captures into a graph has a separate one as long
// as the graph lives (captured_counters.cuh).
#pragma once

#include <array>
#include <cstddef>
#include <cuda_runtime.h>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/captured_counters.cuh>
#include <fettle/ndp/cuda/runtime/kept_counter.hpp>
#include <fettle/ndp/cuda/runtime/kept_memory.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

inline constexpr int stream_counters = 4096;
inline constexpr int stream_rooms = 64;
inline constexpr int stream_queues = 16;

// Static in a function, because nvcc wants inline device variables to be of one translation unit.
[[nodiscard]] __device__ inline stream_counter* counter_of_stream(int number) {
  static stream_counter counters[stream_counters];
  return &counters[number];
}
[[nodiscard]] __device__ inline unsigned char* room_of_stream(int number) {
  static stream_room rooms[stream_rooms];
  return rooms[number].bytes;
}
[[nodiscard]] __device__ inline unsigned char* queue_of_stream(int number) {
  static stream_queue queues[stream_queues];
  return queues[number].bytes;
}

/// The number of a stream among those seen so far; -1 where there have been too many. Ids are
/// never used again, unlike the streams' handles.
[[nodiscard]] inline int number_of_stream(const computation& named, cudaStream_t stream) {
  struct known {
    unsigned long long id = 0;
    int number = -1;
  };
  thread_local known last;
  unsigned long long id = 0;
  check(named, call_facts::of_thread().ask_id(stream, id), "asking for the stream's id");
  if (last.number >= 0 && last.id == id) return last.number;
  static std::mutex lock;
  static std::unordered_map<unsigned long long, int> numbers;
  const std::lock_guard<std::mutex> guard(lock);
  const auto found = numbers.find(id);
  if (found != numbers.end()) {
    last = {id, found->second};
  } else if (numbers.size() < static_cast<std::size_t>(stream_counters)) {
    const int number = static_cast<int>(numbers.size());
    numbers.emplace(id, number);
    last = {id, number};
  } else {
    return -1;
  }
  return last.number;
}

/// Held while the kernels of one computation are put on the stream. Some streams share one.
[[nodiscard]] inline std::recursive_mutex& turn_on_stream(int number) {
  static std::array<std::recursive_mutex, stream_rooms> turns;
  return turns[static_cast<std::size_t>(number % stream_rooms)];
}

[[nodiscard]] inline bool is_capturing(const computation& named, cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(named, call_facts::of_thread().ask_capture(stream, status),
        "asking whether the stream is captured");
  return status != cudaStreamCaptureStatusNone;
}

/// What a kernel is given.
struct arrivals {
  stream_counter* in_workspace = nullptr;  // null: the stream's
  kept_counter* kept = nullptr;            // that of kept memory, with its room
  int stream_number = 0;

#ifdef __CUDACC__
  /// The stream's room, where has_room() said that it is enough.
  template <typename T>
  [[nodiscard]] __device__ T* room() const {
    return room_after<T>(0);
  }
  /// ... behind its first `bytes`, a multiple of T's alignment.
  template <typename T>
  [[nodiscard]] __device__ T* room_after(std::size_t bytes) const {
    unsigned char* const room = kept != nullptr ? kept->room.bytes : room_of_stream(stream_number);
    return reinterpret_cast<T*>(room + bytes);
  }
  /// stream_queue_bytes, where has_queue() said so: zero before every kernel and after it.
  [[nodiscard]] __device__ unsigned char* queue() const {
    return kept != nullptr ? kept->queue.bytes : queue_of_stream(stream_number);
  }

  /// By one thread of each of `blocks` blocks, when what the block wrote is to be seen by the last
  /// one. True for the last.
  [[nodiscard]] __device__ bool is_last(unsigned int blocks) const {
    unsigned int* const arrived = &counter()->arrived;
    unsigned int before = 0;
#if __CUDA_ARCH__ >= 700
    // A release and an acquire in one: a fence on either side takes 0.3 us more on an H100.
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(arrived)), "r"(blocks - 1)
                 : "memory");
#else
    __threadfence();
    before = atomicInc(arrived, blocks - 1);
    __threadfence();
#endif
    return before == blocks - 1;  // the last one has set zero
  }

  /// What kernels count in; the last block that uses it sets it to zero.
  [[nodiscard]] __device__ unsigned long long* tally() const { return &counter()->tally; }

  /// Another number for the same use.
  [[nodiscard]] __device__ unsigned int* second_tally() const { return &counter()->second_tally; }

  [[nodiscard]] __device__ stream_counter* counter() const {
    return in_workspace != nullptr ? in_workspace : counter_of_stream(stream_number);
  }
#endif
};

/// Lives until the kernels that share it are on the stream.
class arrival_counter {
 public:
  arrival_counter(const platform::cuda& on, const computation& named) {
    if (kept_memory* const memory = kept_memory::current()) {
      given_.kept = static_cast<kept_counter*>(memory->zeroed(named, sizeof(kept_counter)));
      given_.in_workspace = &given_.kept->counter;
      return;
    }
    if (!is_capturing(named, on.stream)) {
      given_.stream_number = number_of_stream(named, on.stream);
      if (given_.stream_number >= 0) {
        turn_ = std::unique_lock(turn_on_stream(given_.stream_number));
        return;
      }
    } else if (kept_counter* const own = captured_counters::take(named, on.stream)) {
      given_.kept = own;
      given_.in_workspace = &own->counter;
      return;
    }
    memory_.emplace(on, named, 1);
    given_.in_workspace = memory_->data();
    check(named, cudaMemsetAsync(memory_->data(), 0, sizeof(stream_counter), on.stream),
          "setting a counter");
  }

  [[nodiscard]] arrivals get() const noexcept { return given_; }

  [[nodiscard]] bool has_queue() const noexcept { return has_room_of(stream_queues); }

  /// Whether there is room for so many T's, and so many U's behind them.
  template <typename T, typename U = T>
  [[nodiscard]] bool has_room(int count, int count_behind = 0) const noexcept {
    return has_room_of(stream_rooms) && alignof(T) <= 128 &&
           sizeof(T) * static_cast<std::size_t>(count) % alignof(U) == 0 &&
           sizeof(T) * static_cast<std::size_t>(count) +
                   sizeof(U) * static_cast<std::size_t>(count_behind) <=
               stream_room_bytes;
  }

 private:
  // The first `streams` have some.
  [[nodiscard]] bool has_room_of(int streams) const noexcept {
    return given_.kept != nullptr ||
           (given_.in_workspace == nullptr && given_.stream_number < streams);
  }

  arrivals given_;
  std::unique_lock<std::recursive_mutex> turn_;
  std::optional<workspace<stream_counter>> memory_;
};

}  // namespace fettle::ndp::cuda::detail
