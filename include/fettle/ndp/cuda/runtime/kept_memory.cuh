// kept_memory: the temporaries of what runs again and again: of a recording's replays, of a
// program's graph.
//
// While a kept_memory_scope lives, its thread's workspaces come from one kept_memory. What one
// computation gives back the next one is given, because they run one after the other; CUDA gets
// nothing back before the end. So a graph has no nodes that allocate, set and free memory, which
// take as long as small kernels do.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/relaxed_capture.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// From the memory resource of `on`, in the order of its stream. Of one thread.
class kept_memory {
 public:
  explicit kept_memory(const platform::cuda& on) : on_(on) {}
  ~kept_memory() {
    for (const block& one : blocks_) on_.memory.deallocate(one.data, one.bytes, on_.stream);
    on_.memory.deallocate(zeros_.data, zeros_.bytes, on_.stream);
  }
  kept_memory(const kept_memory&) = delete;
  kept_memory& operator=(const kept_memory&) = delete;

  /// The calling thread's; null: its temporaries are its stream's.
  [[nodiscard]] static kept_memory* current() noexcept { return current_of_thread(); }

  /// Null for no bytes.
  [[nodiscard]] void* allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    block* best = nullptr;
    for (block& one : blocks_) {
      if (one.is_used || one.bytes < bytes) continue;
      if (best == nullptr || one.bytes < best->bytes) best = &one;
    }
    if (best == nullptr) {
      blocks_.reserve(blocks_.size() + 1);
      blocks_.push_back({allocate_outside_capture(bytes), bytes});
      best = &blocks_.back();
    }
    best->is_used = true;
    return best->data;
  }
  void give_back(void* data) noexcept {
    for (block& one : blocks_) {
      if (one.data == data) one.is_used = false;
    }
  }

  /// Always the same `bytes`, which are zero before the first replay.
  [[nodiscard]] void* zeroed(const computation& named, std::size_t bytes) {
    if (zeros_.data == nullptr) {
      zeros_ = {allocate_outside_capture(bytes), bytes};
      check(named, cudaMemsetAsync(zeros_.data, 0, bytes, on_.stream), "setting a counter");
    }
    return zeros_.data;
  }

  [[nodiscard]] bool is_empty() const noexcept { return blocks_.empty() && zeros_.data == nullptr; }

 private:
  friend class kept_memory_scope;

  struct block {
    void* data = nullptr;
    std::size_t bytes = 0;
    bool is_used = false;
  };

  [[nodiscard]] void* allocate_outside_capture(std::size_t bytes) const {
    const relaxed_capture relaxed;
    return on_.memory.allocate(bytes, on_.stream);
  }
  [[nodiscard]] static kept_memory*& current_of_thread() noexcept {
    thread_local constinit kept_memory* current = nullptr;
    return current;
  }

  platform::cuda on_;
  std::vector<block> blocks_;
  block zeros_;
};

/// The calling thread's temporaries come from `memory` while this lives.
class kept_memory_scope {
 public:
  explicit kept_memory_scope(kept_memory& memory) noexcept
      : before_(std::exchange(kept_memory::current_of_thread(), &memory)) {}
  ~kept_memory_scope() { kept_memory::current_of_thread() = before_; }
  kept_memory_scope(const kept_memory_scope&) = delete;
  kept_memory_scope& operator=(const kept_memory_scope&) = delete;

 private:
  kept_memory* before_;
};

}  // namespace fettle::ndp::cuda::detail
