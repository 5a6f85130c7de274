// limit: why a platform cannot implement a schedule that is valid for the expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::schedule {

enum class limit : std::uint8_t {
  none,
  parallel_below_level_2,
  parallel_below_flattened,
  flattened_not_outermost,
};

[[nodiscard]] constexpr std::string_view to_string(limit why) noexcept {
  constexpr std::string_view texts[] = {
      "",
      "a GPU has two parallel levels: every level below level 2 must be sequential",
      "flattened uses all resources: every level below it must be sequential",
      "flattened must be the outermost schedule",
  };
  return texts[static_cast<std::size_t>(why)];
}

/// The limits of a platform that has one flattened kernel: it must be outermost, with nothing
/// parallel below it.
[[nodiscard]] constexpr limit flattened_limit(const nodes& schedule) noexcept {
  for (int i = 1; i < schedule.count; ++i) {
    if (schedule[i] == kind::flattened) return limit::flattened_not_outermost;
    if (schedule[0] == kind::flattened && schedule[i] != kind::sequential) {
      return limit::parallel_below_flattened;
    }
  }
  return limit::none;
}

}  // namespace fettle::ndp::schedule
