// What a metric may be: a cost, an infinite cost, or nothing of the kind.
#pragma once

#include <bit>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI {

/// Whether a metric says that a variant came to no result on an input, as a solver does that does
/// not converge: infinity, or where larger is better zero or minus infinity. Holds under
/// -ffast-math.
[[nodiscard]] constexpr bool is_infinite_cost(double metric, bool larger_is_better) noexcept {
  if (is_finite(metric)) return larger_is_better && metric == 0.0;
  if (is_nan(metric)) return false;
  const bool negative = std::bit_cast<std::int64_t>(metric) < 0;
  return negative == larger_is_better;
}

}  // namespace fettle
