// bin_ranges: reduce_by_index into more bins than caches hold. The elements are distributed to
// ranges of bins first, then each range, which a cache holds, takes its elements in their order.
//
// What a radix sort does in its first pass: an element costs two accesses in a row and one to a
// cache, in place of one to memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

inline constexpr index_t bytes_of_a_range = index_t{1} << 18;  // half of a second-level cache
inline constexpr index_t most_ranges = 256;  // places that are written to at a time
inline constexpr index_t least_bin_bytes = index_t{1} << 23;    // less, caches hold
inline constexpr index_t least_distributed = index_t{1} << 16;  // elements

/// An element of a part, and its bin in a range.
struct distributed_element {
  std::uint32_t element;
  std::uint32_t bin;
};

/// Whether so many elements are worth distributing: there are many, and hardly more bins.
[[nodiscard]] inline bool has_bin_ranges(index_t count, index_t bins, std::size_t bytes) {
  return count >= least_distributed && bins / 4 <= count &&
         bins * static_cast<index_t>(bytes) >= least_bin_bytes &&
         std::max(count, bins) <= std::numeric_limits<std::uint32_t>::max();
}

/// In parts of the elements, and by ranges that the threads take one after the other.
template <typename Team, by_index_node E, typename T>
void reduce_by_bin_ranges(const Team& at, const E& e, const sequence<T>& destination, int parts) {
  const index_t count = e.source.size(), bins = e.bins;
  const index_t least_width = std::max<index_t>(bytes_of_a_range / index_t{sizeof(T)}, 1);
  const auto width = std::bit_ceil(
      static_cast<std::uint64_t>(std::max(least_width, (bins + most_ranges - 1) / most_ranges)));
  const int shift = std::countr_zero(width);
  const index_t ranges = ((bins - 1) >> shift) + 1;
  using elements = std::vector<distributed_element>;
  std::vector<std::vector<elements>> distributed(static_cast<std::size_t>(parts));

  const auto distribute = [&](int part) {
    const own_t<E> own = e;
    const index_t first = part_begin(count, part, parts);
    const index_t last = part_begin(count, part + 1, parts);
    std::vector<elements> mine(static_cast<std::size_t>(ranges));
    const index_t even = (last - first) / ranges;
    for (elements& some : mine) some.reserve(static_cast<std::size_t>(even + even / 8 + 16));
    elements* const to = mine.data();
    for (index_t i = first; i < last; ++i) {
      const index_t b = own.bin_of(i);
      if (b < 0) continue;
      to[b >> shift].push_back({static_cast<std::uint32_t>(i - first),
                                static_cast<std::uint32_t>(b & static_cast<index_t>(width - 1))});
    }
    distributed[static_cast<std::size_t>(part)] = std::move(mine);
  };

  std::atomic<index_t> next = 0;
  at.in_phases(parts, distribute, [&](int) {
    const own_t<E> own = e;
    for (index_t r = next++; r < ranges; r = next++) {
      T* const range = destination.data() + (r << shift);
      std::fill_n(range, std::min(static_cast<index_t>(width), bins - (r << shift)),
                  static_cast<T>(own.seed));
      for (int part = 0; part < parts; ++part) {
        const index_t first = part_begin(count, part, parts);
        for (const auto& [element, bin] :
             distributed[static_cast<std::size_t>(part)][static_cast<std::size_t>(r)]) {
          range[bin] = static_cast<T>(own.op(range[bin], own.source[first + element]));
        }
      }
    }
  });
}

}  // namespace fettle::ndp::host::detail
