// stream_blocks: small blocks of device memory that a stream's computations reuse one after the
// other.
//
// Asking CUDA's pool for memory and giving it back takes a microsecond of the host's time, as long
// as a third of a launch. What a computation gives back may be used by whatever comes after it on
// the same stream, without asking anybody: so a few small blocks are kept for each of the first
// streams. Not while a stream is captured, because a graph runs when it likes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <mutex>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

class stream_blocks {
 public:
  static constexpr std::size_t least_bytes = 512;
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  static constexpr std::size_t blocks_a_stream = 4;
  static constexpr std::size_t most_streams = 64;

  /// What is allocated for a request of so many bytes: blocks of few sizes fit the next one too.
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t bytes) noexcept {
    return bytes > most_bytes ? bytes : std::bit_ceil(std::max(bytes, least_bytes));
  }

  /// A block that the stream has; null where there is none.
  [[nodiscard]] void* take(std::size_t bytes, cudaStream_t stream) noexcept {
    if (bytes > most_bytes) return nullptr;
    const stream_key key = key_of(stream);
    if (!key.known) return nullptr;
    const std::lock_guard<std::mutex> guard(lock_);
    kept* const of = find(key, false);
    if (of == nullptr) return nullptr;
    for (block& one : of->blocks) {
      if (one.memory != nullptr && one.bytes == bytes_for(bytes)) {
        void* const memory = one.memory;
        one.memory = nullptr;
        return memory;
      }
    }
    return nullptr;
  }

  /// False where the block is not kept, so that it has to be given back to the pool.
  [[nodiscard]] bool keep(void* memory, std::size_t bytes, cudaStream_t stream) noexcept {
    if (bytes > most_bytes) return false;
    const stream_key key = key_of(stream);
    if (!key.known) return false;
    const std::lock_guard<std::mutex> guard(lock_);
    kept* const of = find(key, true);
    if (of == nullptr) return false;
    for (block& one : of->blocks) {
      if (one.memory == nullptr) {
        one = {memory, bytes_for(bytes)};
        return true;
      }
    }
    return false;
  }

 private:
  struct block {
    void* memory = nullptr;
    std::size_t bytes = 0;
  };
  // Ids are never used again, unlike the streams' handles.
  struct stream_key {
    bool known = false;
    int device = 0;
    unsigned long long id = 0;
  };
  struct kept {
    stream_key key{};
    std::array<block, blocks_a_stream> blocks{};
  };

  [[nodiscard]] static stream_key key_of(cudaStream_t stream) noexcept {
    stream_key key;
    // In this order: a stream that is captured may not be asked for its id.
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    call_facts& ask = call_facts::of_thread();
    if (ask.ask_capture(stream, capture) == cudaSuccess) {
      if (capture != cudaStreamCaptureStatusNone) return key;
      key.known =
          ask.ask_id(stream, key.id) == cudaSuccess && ask.ask_device(key.device) == cudaSuccess;
    }
    if (!key.known) cudaGetLastError();  // the pool will say what is wrong
    return key;
  }

  [[nodiscard]] kept* find(const stream_key& key, bool add) noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (streams_[i].key.id == key.id && streams_[i].key.device == key.device) return &streams_[i];
    }
    if (!add || count_ == most_streams) return nullptr;
    streams_[count_].key = key;
    return &streams_[count_++];
  }

  std::mutex lock_;
  std::array<kept, most_streams> streams_{};
  std::size_t count_ = 0;
};

/// The program's. Never destroyed: its memory goes with the program's GPU context.
[[nodiscard]] inline stream_blocks& blocks_of_streams() {
  static auto& blocks = *new stream_blocks;
  return blocks;
}

}  // namespace fettle::ndp::cuda::detail
