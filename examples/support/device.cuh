// What the GPU forms of the examples share: arrays on the device, scratch memory, times by events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#include <fettle/measure/event_clock.cuh>

namespace examples::device {

/// Throws fettle::error where a call failed. An error that no later call recovers from ends the
/// program, so that the tuner starts it again and names the variant.
inline void check(cudaError_t status, const char* what) {
  fettle::check_device<fettle::cuda_events>(status, what);
}

/// An array of a trivially copyable type in device memory; a copy is another array.
template <class Value>
class array {
 public:
  array() = default;
  explicit array(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(&data_, size * sizeof(Value)), "cudaMalloc");
  }
  explicit array(const std::vector<Value>& host) : array(host.size()) {
    copy(host.data(), cudaMemcpyHostToDevice);
  }
  array(const array& other) : array(other.size_) { copy(other.data_, cudaMemcpyDeviceToDevice); }
  array(array&& other) noexcept { swap(other); }
  array& operator=(const array& other) {
    if (size_ == other.size_) {
      copy(other.data_, cudaMemcpyDeviceToDevice);
    } else {
      array copied(other);
      swap(copied);
    }
    return *this;
  }
  array& operator=(array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~array() { cudaFree(data_); }

  void swap(array& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  Value* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::vector<Value> host() const {
    std::vector<Value> values(size_);
    if (size_ > 0)
      check(cudaMemcpy(values.data(), data_, size_ * sizeof(Value), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    return values;
  }

 private:
  void copy(const Value* from, cudaMemcpyKind kind) {
    if (size_ > 0) check(cudaMemcpy(data_, from, size_ * sizeof(Value), kind), "cudaMemcpy");
  }

  Value* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Scratch memory that grows and is kept, so that a variant is not charged an allocation.
inline void* scratch(int slot, std::size_t bytes) {
  static array<char> kept[4];
  if (kept[slot].size() < bytes) {
    kept[slot] = array<char>();
    kept[slot] = array<char>(bytes + bytes / 4);
  }
  return kept[slot].data();
}

/// Calls a function of CUB twice, as it wants it: for the size of its scratch memory, and to run.
template <class Call>
void with_scratch(const Call& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), "CUB");
  check(call(scratch(0, bytes), bytes), "CUB");
}

/// Seconds of what `run` puts into the default stream, by events, as the mean of `repetitions` runs
/// in a row. The L2 cache is as whatever ran before has left it, or empty where FETTLE_L2=cold.
template <class Run>
double seconds_of_once(const Run& run, int repetitions = 1) {
  const fettle::event_clock clock;
  for (int n = 0; n < repetitions; ++n) run();
  return clock.seconds() / repetitions;
}

/// The same after a run that is not counted: scratch memory is there, and the L2 cache, where it is
/// not emptied, is as this run has left it.
template <class Run>
double seconds_of(const Run& run, int repetitions = 1) {
  run();
  return seconds_of_once(run, repetitions);
}

/// How many blocks of `block_size` threads have a thread for each of `size` elements; one at least.
inline unsigned blocks_for(std::size_t size, unsigned block_size) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (size + block_size - 1) / block_size));
}

/// Multiprocessors of the device.
inline unsigned multiprocessors() {
  static const unsigned count = [] {
    int found = 0;
    check(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, 0),
          "cudaDeviceGetAttribute");
    return static_cast<unsigned>(found);
  }();
  return count;
}

}  // namespace examples::device
