// Definitions of raw_stage.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/raw_stage.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE anchor anchor_of(double threshold, bool logarithmic) noexcept {
  if (!logarithmic) return {threshold, threshold};
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(std::fabs(threshold) < largest_anchored)) return {-largest, largest};
  const double value = std::exp(threshold);
  return {value - 1e-12 * value, value + 1e-12 * value};
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE raw_stage::raw_stage(std::span<const model_input> inputs,
                                                 std::optional<double> guard) noexcept {
  for (const bool divided : {false, true}) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (has_divisor(inputs[i].kind) == divided) add(inputs[i], i, guard);
    }
  }
}

[[gnu::cold]] FETTLE_INLINE void raw_stage::add(const model_input& input, std::size_t index,
                                                std::optional<double> guard) noexcept {
  counts_.fractional |= is_fractional(input.kind);
  detail::guard_bounds bounds = detail::bounds_of(input, guard);
  if (detail::is_logarithmic(input.kind)) {
    bounds.low = std::fmax(bounds.low, 1 - detail::largest_anchored);
    bounds.high = std::fmin(bounds.high, detail::largest_anchored - 1);
    bounds.low = detail::anchor_of(bounds.low, true).above;
    bounds.high = detail::anchor_of(bounds.high, true).below;
  }
  // Two negative numbers have a ratio, but no logarithms.
  const double least =
      input.kind == transform::log_ratio ? 0.0 : -std::numeric_limits<double>::max();
  inputs_[inputs().size()] = {bounds.low,    bounds.high,   least,
                              input.feature, input.divisor, static_cast<std::uint16_t>(index)};
  ++(has_divisor(input.kind) ? counts_.ratios : counts_.plain);
}

}  // namespace fettle::model
