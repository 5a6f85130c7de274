// What a tuned function selected last, in whichever thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/selection/selection.hpp>

namespace fettle::inline FETTLE_ABI::detail {

class latest_selection {
 public:
  /// Writes only what changed, so that threads that keep selecting one variant share a clean line.
  selection note(const selection& chosen) noexcept {
    const std::uint32_t packed =
        static_cast<std::uint32_t>(chosen.index << 8U) | static_cast<std::uint32_t>(chosen.reason);
    // Names of points are added before they are selected: a thread that reads the index sees the
    // name.
    if (last_.load(std::memory_order_relaxed) != packed) {
      last_.store(packed, std::memory_order_release);
    }
    return chosen;
  }

  /// Nothing before the first selection.
  std::optional<selection> get(const std::vector<std::string>& variants) const noexcept {
    const std::uint32_t packed = last_.load(std::memory_order_acquire);
    if (packed == nothing_yet) return std::nullopt;
    const std::size_t index = packed >> 8U;
    return selection{index, variants[index], static_cast<selection_reason>(packed & 0xFFU)};
  }

 private:
  static constexpr std::uint32_t nothing_yet = ~std::uint32_t{0};

  std::atomic<std::uint32_t> last_{nothing_yet};
};

}  // namespace fettle::detail
