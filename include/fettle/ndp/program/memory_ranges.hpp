// memory_ranges: the memory that an expression or a destination refers to, and whether two share
// any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/sequence/leaves.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Bytes [begin, end) of memory.
struct memory_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool overlaps(const memory_range& other) const noexcept {
    return begin < other.end && other.begin < end;
  }
};

[[nodiscard]] inline bool overlap(const std::vector<memory_range>& a,
                                  const std::vector<memory_range>& b) noexcept {
  for (const memory_range& x : a) {
    for (const memory_range& y : b) {
      if (x.overlaps(y)) return true;
    }
  }
  return false;
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

using fettle::detail::memory_range;

/// Of the sequences that `s` is made of; what function objects hold is not seen.
template <typename S>
[[nodiscard]] std::vector<memory_range> ranges_of(const S& s) {
  std::vector<memory_range> out;
  for_each_leaf(s, [&](const auto& leaf) {
    const auto begin = reinterpret_cast<std::uintptr_t>(leaf.data());
    const auto bytes = static_cast<std::uintptr_t>(leaf.size()) * sizeof(*leaf.data());
    if (bytes > 0) out.push_back({begin, begin + bytes});
  });
  return out;
}

}  // namespace fettle::ndp::detail
