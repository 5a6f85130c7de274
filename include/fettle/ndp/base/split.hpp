// part_begin: `count` things in parts that are as equal as they can be.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The first of the things that part `part` of `parts` has; sizes of parts differ by one at most.
[[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t part_begin(index_t count, index_t part,
                                                              index_t parts) noexcept {
  const index_t each = count / parts;
  const index_t longer = count % parts;
  return part * each + (part < longer ? part : longer);
}

}  // namespace fettle::ndp
