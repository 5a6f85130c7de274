// raw_stage: a tree's way around logarithms.
//
// A tree asks of few inputs, and only on which side of a threshold they are: log f <= s is the
// question f <= exp(s), log f - log g <= s is f/g <= exp(s). Logarithms of doubles are below 745,
// so that t is off by less than 4e-13 after all roundings; where f or f/g is within one part in
// 10^12 of exp(s), t itself has to decide. The answers are therefore those of the definition, t <=
// s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

/// What to compare f or f/g with in place of t and a threshold: larger than `above`, t is above the
/// threshold; smaller than `below`, it is below; between them, that proves nothing.
struct anchor {
  double below;
  double above;
};

// exp(600) and exp(-600) are far from the ends of the range of doubles.
inline constexpr double largest_anchored = 600;

[[nodiscard]] anchor anchor_of(double threshold, bool logarithmic) noexcept;

[[nodiscard]] constexpr bool is_logarithmic(transform kind) noexcept {
  return kind == transform::log || kind == transform::log_ratio;
}

}  // namespace detail

/// How one input is read, f or f/g, and between which values it is surely inside.
struct raw_input {
  double above = 0;
  double below = 0;
  double least = 0;  ///< of f itself, where there is a divisor
  std::uint16_t feature = 0;
  std::uint16_t divisor = 0;
  std::uint16_t index = 0;
};

/// How many inputs there are of either kind; those without a divisor come first.
struct raw_counts {
  std::uint16_t plain = 0;
  std::uint16_t ratios = 0;
  bool fractional = false;  ///< input_stage sees to fractions
};

/// Writes f or f/g of each input to `out`. Returns whether all are finite, have the logarithms
/// that they need, and are inside the guard for sure; where not, input_stage knows better.
template <typename Value>
bool surely_inside(const raw_counts& counts, const raw_input* inputs, const double* features,
                   Value* out) noexcept {
  if (counts.fractional) [[unlikely]]
    return false;
  const raw_input* input = inputs;
  for (const raw_input* end = input + counts.plain; input != end; ++input) {
    const double value = features[input->feature];
    if (!(value > input->above && value < input->below)) [[unlikely]]
      return false;
    out[input->index] = static_cast<Value>(value);
  }
  for (const raw_input* end = input + counts.ratios; input != end; ++input) {
    const double f = features[input->feature];
    const double value = f / features[input->divisor];
    if (!(f > input->least && value > input->above && value < input->below)) [[unlikely]] {
      return false;
    }
    out[input->index] = static_cast<Value>(value);
  }
  return true;
}

/// The inputs of a tree before any logarithm is taken. Holds no pointers and allocates nothing.
class raw_stage {
 public:
  raw_stage() = default;

  /// As input_stage, whose preconditions hold here too.
  raw_stage(std::span<const model_input> inputs, std::optional<double> guard) noexcept;

  /// As the function of this name.
  template <typename Value>
  bool surely_inside(const double* features, Value* out) const noexcept {
    return model::surely_inside(counts_, inputs_.data(), features, out);
  }

  [[nodiscard]] const raw_counts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::span<const raw_input> inputs() const noexcept {
    return {inputs_.data(), static_cast<std::size_t>(counts_.plain) + counts_.ratios};
  }

 private:
  void add(const model_input& input, std::size_t index, std::optional<double> guard) noexcept;

  raw_counts counts_;
  std::array<raw_input, maximum_inputs> inputs_{};
};

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/raw_stage.ipp>
#endif
