// memory_check: refuses sequences over memory that the GPU cannot reach, and streams of other GPUs,
// before a kernel reads them: such a kernel would take the whole program's GPU context down.
//
// The sequences that an expression is made of are looked at, not those that function objects hold.
// An address that was found good is not asked for again, unless there are several GPUs: what one
// frees, another may get, and access to another's memory can be withdrawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/pointer_attributes.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/leaves.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

[[noreturn]] inline void throw_unreachable(const computation& named, const void* address,
                                           index_t size, const char* whose) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  throw error(std::string(named.name) + ": a sequence of " + std::to_string(size) +
              " elements at " + text + " lies in " + whose +
              ", which the current GPU cannot reach: copy it to memory of this GPU (cudaMalloc, "
              "thrust::device_vector)");
}

/// Asked once.
[[nodiscard]] inline bool has_several_devices() {
  static const bool several = [] {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
    return count > 1;
  }();
  return several;
}

inline void require_reachable(int device, const platform::cuda& on, const computation& named,
                              const void* address, index_t size) {
  if (size <= 0) return;
  struct reachable {
    const void* address = nullptr;
    int device = -1;
  };
  thread_local std::array<reachable, 64> known{};
  const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
  reachable& entry = known[(bits * 0x9E3779B97F4A7C15U) >> 58];
  if (address == nullptr) throw_unreachable(named, address, size, "no memory at all");
  if (entry.address == address && entry.device == device && !has_several_devices()) return;

  const auto attributes = pointer_attributes(address);
  if (!attributes) return;  // an unknown address may still be valid
  const bool hosts = attributes->type == cudaMemoryTypeUnregistered;
  const bool readable =
      hosts ? current_device_facts(named).reads_host_memory : attributes->devicePointer != nullptr;
  if (readable) {
    entry = {address, device};
    return;
  }
  // Memory of a graph that is being captured is not there yet.
  if (is_capturing(named, on.stream)) return;
  throw_unreachable(named, address, size,
                    hosts ? "the processor's memory" : "another GPU's memory");
}

/// A launch into another GPU's stream is not an error for CUDA: the kernel runs there and reads
/// memory out of its reach.
inline void require_stream_of(int device, const platform::cuda& on, const computation& named) {
#if CUDART_VERSION >= 12080  // older CUDA cannot say
  struct asked {
    cudaStream_t stream = nullptr;
    int device = -1;
  };
  thread_local asked known{};
  if (on.stream == nullptr || (known.stream == on.stream && known.device == device)) return;
  if (is_capturing(named, on.stream)) return;  // queries are refused then
  int streams = device;
  check(named, cudaStreamGetDevice(on.stream, &streams), "asking for the stream's GPU");
  if (streams != device) throw_cuda_error(named, cudaErrorInvalidResourceHandle, "a launch");
  known = {on.stream, device};
#endif
}

/// Throws where the stream is another GPU's, or where a sequence that `e` or `destination` is made
/// of is out of the GPU's reach.
template <typename E, typename D>
void require_reach(const platform::cuda& on, const computation& named, const E& e,
                   const D& destination) {
  const int device = current_device(named);  // once: asked for each leaf it is 0.2 us of 3.8
  require_stream_of(device, on, named);
  const auto visit = [&](const auto& leaf) {
    const void* const data = leaf.data();
    require_reachable(device, on, named, data, leaf.size());
  };
  for_each_leaf(e, visit);
  for_each_leaf(destination, visit);
}

}  // namespace fettle::ndp::cuda::detail
