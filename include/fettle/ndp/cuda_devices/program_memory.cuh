// program_memory: the intermediate results of a program over several GPUs, each divided like the
// computations that write it (array_cuts()).
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda_devices/device_team.cuh>
#include <fettle/ndp/cuda_devices/mapped_memory.cuh>
#include <fettle/ndp/cuda_devices/platform.cuh>
#include <fettle/ndp/devices/placement.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda_devices::detail {

/// Which device has each 2 MiB of a program's memory, joined to pieces. Results that share memory
/// lie as the largest one.
template <typename Results>
[[nodiscard]] std::vector<device_piece> pieces_of_program(const platform::cuda_devices& on,
                                                          std::size_t bytes,
                                                          const Results& results) {
  constexpr std::size_t granule = std::size_t{1} << 21U;
  constexpr std::size_t least = static_cast<std::size_t>(devices::detail::least_divided_count) * 8;
  std::vector<device_piece> pieces;
  for (std::size_t begin = 0; begin < bytes; begin += granule) {
    const std::size_t middle = begin + granule / 2;
    std::size_t largest = least - 1;
    int device = on[0];
    for (const auto& its : results) {
      if (its.bytes <= largest || middle < its.offset || middle >= its.offset + its.bytes) continue;
      largest = its.bytes;
      const auto part = (middle - its.offset) * static_cast<std::size_t>(on.size()) / its.bytes;
      device = on[static_cast<int>(part)];
    }
    if (pieces.empty() || pieces.back().device != device) pieces.push_back({device, 0});
    pieces.back().end = begin + granule;
  }
  return pieces;
}

class program_memory {
 public:
  template <typename Results>
  program_memory(const platform::cuda_devices& on, const computation& named, std::size_t bytes,
                 const Results& results)
      : on_(on) {
    require_list(named, on);
    if (bytes == 0) return;
    memory_ = mapped_memory(named, on.list(), pieces_of_program(on, bytes, results));
  }
  program_memory(const program_memory&) = delete;
  program_memory& operator=(const program_memory&) = delete;
  /// Waits for the work that uses it.
  ~program_memory() {
    const on_device current(on_[0]);
    cudaStreamSynchronize(on_.stream);
  }

  [[nodiscard]] void* data() const noexcept { return memory_.data(); }

 private:
  platform::cuda_devices on_;
  mapped_memory memory_;
};

}  // namespace fettle::ndp::cuda_devices::detail
