// The block of a scan that is not tuned: its threads, and what one of them scans at a time. Needs
// no CUDA.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

[[nodiscard]] constexpr int scan_threads_for(std::size_t value_bytes) noexcept {
  return value_bytes > 16 ? 128 : 512;
}

/// As many values as 32 KiB of shared memory hold, up to 8.
[[nodiscard]] constexpr int scan_grain_for(int threads, std::size_t value_bytes) noexcept {
  constexpr std::size_t room = 32 * 1024;
  const std::size_t grain = room / (static_cast<std::size_t>(threads) * value_bytes);
  return grain < 1 ? 1 : grain > 8 ? 8 : static_cast<int>(grain);
}

}  // namespace fettle::ndp::cuda::detail
