// part_begin: `count` things in parts that are as equal as they can be.
#pragma once

#include <algorithm>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// The first of the things that part `part` of `parts` has; sizes of parts differ by one at most.
[[nodiscard]] constexpr index_t part_begin(index_t count, index_t part, index_t parts) noexcept {
  const index_t each = count / parts;
  return part * each + std::min(part, count % parts);
}

}  // namespace fettle::ndp
