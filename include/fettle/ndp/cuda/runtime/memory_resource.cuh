// cuda::memory_resource: where the temporary device memory of a computation comes from.
//
// A cheap value that refers to somebody else's allocator. Allocation is in the order of a stream:
// memory may be used by work that is put on the stream after allocate(), and is given back for work
// that is put there after deallocate(). That keeps computations asynchronous and lets them be
// captured into CUDA graphs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/runtime/memory_pool.cuh>
#include <fettle/ndp/cuda/runtime/stream_blocks.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

/// An allocator of device memory that a computation can be given. allocate() throws where it has
/// no memory; deallocate() does not throw.
template <typename R>
concept stream_ordered_resource = requires(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
  { r.allocate(bytes, stream) } -> std::convertible_to<void*>;
  r.deallocate(p, bytes, stream);
};

class memory_resource {
 public:
  /// Fettle's pool of the current device (memory_pool.cuh), and what the stream's last computations
  /// left (stream_blocks.cuh).
  memory_resource() noexcept = default;

  /// The user's own, which has to outlive the work that uses it. Null is Fettle's pool.
  template <stream_ordered_resource R>
  memory_resource(R* resource) noexcept {
    if (resource == nullptr) return;
    context_ = resource;
    allocate_ = [](void* context, std::size_t bytes, cudaStream_t stream) -> void* {
      return static_cast<R*>(context)->allocate(bytes, stream);
    };
    deallocate_ = [](void* context, void* p, std::size_t bytes, cudaStream_t stream) {
      static_cast<R*>(context)->deallocate(p, bytes, stream);
    };
  }

  /// Null for no bytes.
  [[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream) const {
    return bytes == 0 ? nullptr : allocate_(context_, bytes, stream);
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) const {
    if (p != nullptr) deallocate_(context_, p, bytes, stream);
  }

  [[nodiscard]] friend bool operator==(const memory_resource&, const memory_resource&) = default;

 private:
  static void* allocate_from_pool(void* /*context*/, std::size_t bytes, cudaStream_t stream) {
    if (void* const kept = detail::blocks_of_streams().take(bytes, stream)) return kept;
    bytes = detail::stream_blocks::bytes_for(bytes);
    cudaError_t status = cudaSuccess;
    const cudaMemPool_t pool = detail::memory_pool(status);
    void* p = nullptr;
    if (status == cudaSuccess) status = cudaMallocFromPoolAsync(&p, bytes, pool, stream);
    if (status == cudaSuccess) return p;
    cudaGetLastError();  // taken note of here: the next call's check must not find it
    throw error("CUDA has no " + std::to_string(bytes) +
                " bytes of device memory for a temporary (cudaMallocFromPoolAsync: " +
                cudaGetErrorString(status) + ")");
  }
  static void deallocate_to_pool(void* /*context*/, void* p, std::size_t bytes,
                                 cudaStream_t stream) {
    if (!detail::blocks_of_streams().keep(p, bytes, stream)) cudaFreeAsync(p, stream);
  }

  void* context_ = nullptr;
  void* (*allocate_)(void*, std::size_t, cudaStream_t) = &allocate_from_pool;
  void (*deallocate_)(void*, void*, std::size_t, cudaStream_t) = &deallocate_to_pool;
};

}  // namespace fettle::ndp::cuda
