// raw_stage: a tree's way around logarithms.
//
// A tree asks of few inputs, and only on which side of a threshold they are: log f <= s is the
// question f <= exp(s), log f - log g <= s is f/g <= exp(s). Logarithms of doubles are below 745,
// so that t is off by less than 4e-13 after all roundings; where f or f/g is within one part in
// 10^12 of exp(s), t itself has to decide. The answers are therefore those of the definition, t <=
// s.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::model {

namespace detail {

/// What to compare f or f/g with in place of t and a threshold: larger than `above`, t is above the
/// threshold; smaller than `below`, it is below; between them, that proves nothing.
struct anchor {
  double below;
  double above;
};

// exp(600) and exp(-600) are far from the ends of the range of doubles.
inline constexpr double largest_anchored = 600;

[[nodiscard]] inline anchor anchor_of(double threshold, bool logarithmic) noexcept {
  if (!logarithmic) return {threshold, threshold};
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(std::fabs(threshold) < largest_anchored)) return {-largest, largest};
  const double value = std::exp(threshold);
  return {value - 1e-12 * value, value + 1e-12 * value};
}

[[nodiscard]] constexpr bool is_logarithmic(transform kind) noexcept {
  return kind == transform::log || kind == transform::log_ratio;
}

}  // namespace detail

/// The inputs of a tree before any logarithm is taken. Holds no pointers and allocates nothing.
class raw_stage {
 public:
  raw_stage() = default;

  /// As input_stage, whose preconditions hold here too.
  raw_stage(std::span<const model_input> inputs, std::optional<double> guard) noexcept {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const model_input& input = inputs[i];
      fractional_ |= is_fractional(input.kind);
      detail::guard_bounds bounds = detail::bounds_of(input, guard);
      if (detail::is_logarithmic(input.kind)) {
        bounds.low = std::fmax(bounds.low, 1 - detail::largest_anchored);
        bounds.high = std::fmin(bounds.high, detail::largest_anchored - 1);
        bounds.low = detail::anchor_of(bounds.low, true).above;
        bounds.high = detail::anchor_of(bounds.high, true).below;
      }
      if (has_divisor(input.kind)) {
        // Two negative numbers have a ratio, but no logarithms.
        const double least =
            input.kind == transform::log_ratio ? 0.0 : -std::numeric_limits<double>::max();
        ratios_[ratio_count_++] = {bounds.low,    bounds.high,   least,
                                   input.feature, input.divisor, static_cast<std::uint16_t>(i)};
      } else {
        plain_[plain_count_++] = {bounds.low, bounds.high, input.feature,
                                  static_cast<std::uint16_t>(i)};
      }
    }
  }

  /// Writes f or f/g of each input to `out`. Returns whether all are finite, have the logarithms
  /// that they need, and are inside the guard for sure; where not, input_stage knows better.
  bool surely_inside(const double* features, double* out) const noexcept {
    if (fractional_) [[unlikely]]
      return false;
    for (std::size_t i = 0; i < plain_count_; ++i) {
      const plain_input& input = plain_[i];
      const double value = features[input.feature];
      if (!(value > input.above && value < input.below)) [[unlikely]]
        return false;
      out[input.place] = value;
    }
    for (std::size_t i = 0; i < ratio_count_; ++i) {
      const ratio_input& input = ratios_[i];
      const double f = features[input.feature];
      const double value = f / features[input.divisor];
      if (!(f > input.least && value > input.above && value < input.below)) [[unlikely]] {
        return false;
      }
      out[input.place] = value;
    }
    return true;
  }

 private:
  struct plain_input {
    double above = 0;  // the value is surely inside between these
    double below = 0;
    std::uint16_t feature = 0;
    std::uint16_t place = 0;
  };
  struct ratio_input {
    double above = 0;
    double below = 0;
    double least = 0;  // of the feature itself
    std::uint16_t feature = 0;
    std::uint16_t divisor = 0;
    std::uint16_t place = 0;
  };

  bool fractional_ = false;  // input_stage sees to fractions
  std::size_t plain_count_ = 0;
  std::size_t ratio_count_ = 0;
  std::array<plain_input, maximum_inputs> plain_{};
  std::array<ratio_input, maximum_inputs> ratios_{};
};

}  // namespace fettle::model
