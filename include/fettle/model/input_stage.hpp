// From feature values to model inputs: transform, scaling, and the guard that tells inputs unlike
// any trained on. docs/formats.md section 3 defines it; every predictor starts here.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

// Zero, negative numbers and NaN have no logarithm, infinity none that is of use. The bits decide,
// because -ffast-math lets the compiler forget about NaN.
[[nodiscard]] inline bool has_logarithm(double value) noexcept {
  constexpr std::uint64_t infinity = 0x7FF0'0000'0000'0000U;
  return std::bit_cast<std::uint64_t>(value) - 1 < infinity - 1;
}

/// log(value), or something that is not finite where there is none.
[[nodiscard]] inline double logarithm(double value) noexcept {
  return has_logarithm(value) ? rounded(std::log(value)) : std::numeric_limits<double>::infinity();
}

/// What is behind the point; NaN where `value` is not finite.
[[nodiscard]] inline double fraction_of(double value) noexcept {
  const double whole = rounded(value);
  return whole - std::floor(whole);
}

/// How far beyond the training range an input may lie: the bounds of t.
struct guard_bounds {
  double low;
  double high;
};

[[nodiscard]] guard_bounds bounds_of(const model_input& input,
                                     std::optional<double> guard) noexcept;

}  // namespace detail

/// What a model's inputs are, prepared for evaluation. Holds no pointers and allocates nothing.
class input_stage {
 public:
  input_stage() = default;

  /// `guard` is the slack on both sides of an input's training range, as a fraction of the range;
  /// nothing: no guard. Preconditions (the reader checks them): at most maximum_inputs inputs,
  /// bounds finite with low <= high, guard finite and not negative.
  input_stage(std::span<const model_input> inputs, std::optional<double> guard) noexcept;

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// Writes the transformed inputs t to `out`; a t that is not finite (no logarithm, 0/0) becomes
  /// the training minimum. Returns whether the guard lets all of them through.
  bool transformed(const double* features, double* out) const noexcept;

  /// As transformed(), each t scaled so that the training range becomes [-1, 1]: what an SVM sees.
  bool scaled(const double* features, double* out) const noexcept;

  /// As scaled(), for the common case: false where an input is outside, or has no logarithm, and
  /// then `out` is not to be used. Scales by multiplication: each x is off by at most 4 units in
  /// the last place of |x| + 1, which svm_quick_choice() allows for.
  bool scaled_if_inside(const double* features, double* out) const noexcept {
    double logs[maximum_features];
    for (std::size_t slot = 0; slot < logged_count_; ++slot) {
      const double f = features[logged_[slot]];
      if (!detail::has_logarithm(f)) [[unlikely]]
        return false;
      logs[slot] = detail::rounded(std::log(f));
    }
    const auto finish = [&](const quick_input& input, double t) {
      out[input.index] = (t - input.low) * input.factor + input.shift;
      return t >= input.guard_low && t <= input.guard_high;
    };
    const quick_input* input = quick_.data();
    for (const quick_input* end = input + logs_; input != end; ++input) {
      if (!finish(*input, logs[input->first])) [[unlikely]]
        return false;
    }
    for (const quick_input* end = input + log_ratios_; input != end; ++input) {
      if (!finish(*input, logs[input->first] - logs[input->second])) [[unlikely]]
        return false;
    }
    for (const quick_input* end = quick_.data() + count_; input != end; ++input) {
      double t = features[input->first];
      if (input->divides) t /= features[input->second];
      if (input->fractional) [[unlikely]]
        t = detail::fraction_of(input->divides ? t : std::sqrt(t));
      if (!is_finite(t) || !finish(*input, t)) [[unlikely]]
        return false;
    }
    return true;
  }

  /// One t by itself, as transformed() gives it.
  [[nodiscard]] double transformed_alone(std::size_t i, const double* features) const noexcept;

 private:
  struct source {
    transform kind = transform::linear;
    std::uint16_t first = 0;  // a feature, or for logarithms a slot of logged_
    std::uint16_t second = 0;
  };
  struct scale {
    double low = 0;
    double range = 0;
    double guard_low = 0;
    double guard_high = 0;
  };

  // An input as scaled_if_inside() reads it. Those of a transform lie together: no branches.
  struct quick_input {
    double low = 0;
    double guard_low = 0;
    double guard_high = 0;
    double factor = 0;
    double shift = 0;
    std::uint16_t first = 0;
    std::uint16_t second = 0;
    std::uint16_t index = 0;
    bool divides = false;
    bool fractional = false;
  };

  /// Adds the inputs of one transform behind the first `end`; returns the new end.
  std::size_t add_quick_inputs(transform kind, std::size_t end) noexcept;

  // Several inputs may need the logarithm of one feature: it is taken once.
  std::uint16_t slot_of(std::uint16_t feature) noexcept;

  void take_logarithms(const double* features, double* logs) const noexcept;

  bool transformed_one(std::size_t i, const double* features, const double* logs,
                       double& t) const noexcept;

  // What scaled_if_inside() reads comes first, close together.
  std::size_t logs_ = 0;        // of quick_, the first are logarithms,
  std::size_t log_ratios_ = 0;  // the next differences of logarithms
  std::size_t count_ = 0;
  std::uint16_t logged_count_ = 0;
  std::array<std::uint16_t, maximum_features> logged_{};  // features whose logarithm is taken
  std::array<quick_input, maximum_inputs> quick_{};
  std::array<source, maximum_inputs> sources_{};
  std::array<scale, maximum_inputs> scales_{};
};

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/input_stage.ipp>
#endif
