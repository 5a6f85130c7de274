// The rules by which the 32 lanes of a warp pass on the carries of rows that go on. Bit l of
// `ends`: lane l ends a row, so the carry that it passes on starts anew.
#pragma once

#include <bit>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// In a scan by doubling distances: up to which distance a lane takes what a lane before it has.
/// The lanes after that one, up to this one, are all in one row.
[[nodiscard]] FETTLE_HOST_DEVICE inline int carry_reach(std::uint32_t ends, int lane) {
  const std::uint32_t so_far = ends & (0xFFFFFFFFU >> (31 - lane));
#ifdef __CUDA_ARCH__
  const int last = 31 - __clz(static_cast<int>(so_far));
#else
  const int last = 31 - std::countl_zero(so_far);
#endif
  return lane - (last < 0 ? 0 : last);
}

/// Whether one of the first `lanes` lanes ends a row.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr bool carry_ended(std::uint32_t ends, int lanes) {
  return lanes == 32 ? ends != 0 : (ends & ((1U << lanes) - 1)) != 0;
}

}  // namespace fettle::ndp::cuda::detail
