// index_t: how the nested data-parallel layer counts elements; 64 bits, so that no length
// overflows.
#pragma once

#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

using index_t = std::int64_t;

/// How many groups of `group` elements hold `count` elements; `group` > 0.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t ceiling_quotient(index_t count,
                                                                    index_t group) noexcept {
  return count / group + (count % group > 0 ? 1 : 0);
}

}  // namespace fettle::ndp
