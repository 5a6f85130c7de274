// device: what the host has to know of the current GPU to choose a grid; asked of CUDA once.
#pragma once

#include <array>
#include <cstddef>
#include <cuda_runtime_api.h>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/call_facts.cuh>
#include <fettle/ndp/cuda/runtime/device_rates.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

struct device_facts {
  int multiprocessors = 0;
  int compute_capability_major = 0;
  std::size_t shared_bytes_of_block = 0;  // at most, where a kernel asks for it
  bool reads_host_memory = false;         // any of it, as on systems with unified page tables
  device_rates rates{};

  /// Clusters of blocks, which share their memory, came with compute capability 9.
  [[nodiscard]] bool has_clusters() const noexcept { return compute_capability_major >= 9; }
  /// So did kernels that start before the one before them is done.
  [[nodiscard]] bool starts_kernels_early() const noexcept { return compute_capability_major >= 9; }
};

[[nodiscard]] inline device_facts ask_device(const computation& named, int device) {
  const auto attribute = [&](cudaDeviceAttr wanted) {
    int value = 0;
    check(named, cudaDeviceGetAttribute(&value, wanted, device), "asking for the GPU's properties");
    return value;
  };
  device_facts facts;
  facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  facts.compute_capability_major = attribute(cudaDevAttrComputeCapabilityMajor);
  facts.shared_bytes_of_block =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  facts.reads_host_memory = attribute(cudaDevAttrPageableMemoryAccess) != 0;
  // Kilohertz and bits; twice a clock. A device that does not say so keeps the defaults.
  const double memory_clock = attribute(cudaDevAttrMemoryClockRate);
  const double bus_bytes = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
  const double clock = attribute(cudaDevAttrClockRate);
  if (memory_clock > 0 && bus_bytes > 0) facts.rates.bytes = 0.8e-3 * 2 * memory_clock * bus_bytes;
  if (clock > 0) facts.rates.instructions = 0.86e-3 * 4 * facts.multiprocessors * clock;
  return facts;
}

[[nodiscard]] inline int current_device(const computation& named) {
  int device = 0;
  check(named, call_facts::of_thread().ask_device(device), "asking for the current GPU");
  return device;
}

/// The current device's. A thread keeps each device's answer: asking for clocks takes a
/// millisecond.
[[nodiscard]] inline const device_facts& current_device_facts(const computation& named) {
  struct answer {
    int device = -1;
    device_facts facts;
  };
  thread_local std::array<answer, 64> known;
  const int device = current_device(named);
  answer& kept = known[static_cast<std::size_t>(device) % known.size()];
  if (device != kept.device) {
    kept.facts = ask_device(named, device);
    kept.device = device;
  }
  return kept.facts;
}

/// Blocks for `count` elements, `per_block` each; at most what a grid can have, so kernels
/// go on with a stride of the whole grid.
[[nodiscard]] constexpr unsigned int blocks_for(index_t count, index_t per_block) noexcept {
  constexpr index_t most = 0x7FFFFFFF;
  const index_t blocks = ceiling_quotient(count, per_block);
  return static_cast<unsigned int>(blocks < most ? blocks : most);
}

}  // namespace fettle::ndp::cuda::detail
