// Definitions of memory_plan.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/ndp/program/memory_plan.hpp>

namespace fettle::inline FETTLE_ABI::detail {

FETTLE_INLINE std::size_t place_lifetimes(std::vector<lifetime>& all) {
  std::vector<lifetime*> order;
  order.reserve(all.size());
  for (lifetime& its : all) order.push_back(&its);
  std::stable_sort(order.begin(), order.end(),
                   [](const lifetime* a, const lifetime* b) { return a->bytes > b->bytes; });
  std::vector<const lifetime*> placed;  // by offset
  std::size_t peak = 0;
  for (lifetime* const its : order) {
    const std::size_t room =
        (its->bytes + result_alignment - 1) / result_alignment * result_alignment;
    std::size_t offset = 0;
    for (const lifetime* const other : placed) {
      if (other->last < its->first || its->last < other->first) continue;
      if (offset + room <= other->offset) break;
      const std::size_t end = other->offset + other->bytes;
      offset = std::max(offset, (end + result_alignment - 1) / result_alignment * result_alignment);
    }
    its->offset = offset;
    peak = std::max(peak, offset + room);
    placed.insert(std::upper_bound(
                      placed.begin(), placed.end(), its,
                      [](const lifetime* a, const lifetime* b) { return a->offset < b->offset; }),
                  its);
  }
  return peak;
}

}  // namespace fettle::detail
