// library_call: an algorithm of CUB with the temporary memory that it asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <limits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/runtime/device.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// function(n) with the count in 32 bits where they hold it: CUB's kernels count with the type that
/// they are given, and are faster with 32 bits.
template <typename Function>
[[nodiscard]] cudaError_t with_short_count(index_t count, const Function& function) {
  if (count <= std::numeric_limits<std::int32_t>::max()) {
    return function(static_cast<std::int32_t>(count));
  }
  return function(count);
}

/// algorithm(memory, bytes) is CUB's: without memory it says how many bytes it needs for `count`
/// elements, with it it puts its kernels on the stream. It holds what it needs, because a recording
/// calls it later. The bytes depend on the count alone; asking costs as much as a launch, so that a
/// thread keeps the last answer.
template <typename Algorithm>
void call_library(const platform::cuda& on, const computation& named, const char* what,
                  index_t count, const Algorithm& algorithm) {
  struct answer {
    index_t count = -1;
    int device = -1;
    std::size_t bytes = 0;
  };
  thread_local answer last;
  const int device = current_device(named);
  if (last.count != count || last.device != device) {
    std::size_t bytes = 0;
    check(named, algorithm(nullptr, bytes), what);
    last = {count, device, bytes};
  }
  const workspace<unsigned char> memory(on, named, static_cast<index_t>(last.bytes));
  call_or_record(named, what, [algorithm, room = memory.data(), bytes = last.bytes] {
    std::size_t given = bytes;
    return algorithm(room, given);
  });
}

}  // namespace fettle::ndp::cuda::detail
