// Definitions of input_stage.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/rounded.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE guard_bounds bounds_of(const model_input& input,
                                                   std::optional<double> guard) noexcept {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!guard) return {-largest, largest};
  const double range = input.high > input.low ? rounded(input.high - input.low)
                                              : std::fmax(1.0, std::fabs(input.low));
  const double slack = rounded(*guard * range);
  return {rounded(input.low - slack), rounded(input.high + slack)};
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE input_stage::input_stage(std::span<const model_input> inputs,
                                                     std::optional<double> guard) noexcept
    : count_(inputs.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    const model_input& input = inputs[i];
    const detail::guard_bounds bounds = detail::bounds_of(input, guard);
    const double range = detail::rounded(input.high - input.low);
    sources_[i] = {input.kind, input.feature, input.divisor};
    if (input.kind == transform::log || input.kind == transform::log_ratio) {
      sources_[i].first = slot_of(input.feature);
    }
    if (input.kind == transform::log_ratio) sources_[i].second = slot_of(input.divisor);
    scales_[i] = {input.low, range, bounds.low, bounds.high};
  }
  logs_ = add_quick_inputs(transform::log, 0);
  log_ratios_ = add_quick_inputs(transform::log_ratio, logs_) - logs_;
  std::size_t end = logs_ + log_ratios_;
  for (const transform kind :
       {transform::linear, transform::ratio, transform::fraction, transform::root_fraction}) {
    end = add_quick_inputs(kind, end);
  }
}

FETTLE_INLINE bool input_stage::transformed(const double* features, double* out) const noexcept {
  double logs[maximum_features];
  take_logarithms(features, logs);
  bool inside = true;
  for (std::size_t i = 0; i < count_; ++i) {
    inside &= transformed_one(i, features, logs, out[i]);
  }
  return inside;
}

FETTLE_INLINE bool input_stage::scaled(const double* features, double* out) const noexcept {
  double logs[maximum_features];
  take_logarithms(features, logs);
  bool inside = true;
  for (std::size_t i = 0; i < count_; ++i) {
    double t;
    inside &= transformed_one(i, features, logs, t);
    const scale& s = scales_[i];
    out[i] = s.range > 0 ? detail::rounded(2 * (t - s.low) / s.range) - 1 : 0.0;
  }
  return inside;
}

FETTLE_INLINE double input_stage::transformed_alone(std::size_t i,
                                                    const double* features) const noexcept {
  double logs[maximum_features];
  const source& p = sources_[i];
  if (p.kind == transform::log || p.kind == transform::log_ratio) {
    logs[p.first] = detail::logarithm(features[logged_[p.first]]);
  }
  if (p.kind == transform::log_ratio) {
    logs[p.second] = detail::logarithm(features[logged_[p.second]]);
  }
  double t;
  transformed_one(i, features, logs, t);
  return t;
}

[[gnu::cold]] FETTLE_INLINE std::size_t input_stage::add_quick_inputs(transform kind,
                                                                      std::size_t end) noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    if (sources_[i].kind != kind) continue;
    const scale& s = scales_[i];
    const bool varies = s.range > 0;
    quick_[end++] = {s.low,
                     s.guard_low,
                     s.guard_high,
                     varies ? 2 / s.range : 0.0,
                     varies ? -1.0 : 0.0,
                     sources_[i].first,
                     sources_[i].second,
                     static_cast<std::uint16_t>(i),
                     has_divisor(kind),
                     is_fractional(kind)};
  }
  return end;
}

[[gnu::cold]] FETTLE_INLINE std::uint16_t input_stage::slot_of(std::uint16_t feature) noexcept {
  for (std::uint16_t slot = 0; slot < logged_count_; ++slot) {
    if (logged_[slot] == feature) return slot;
  }
  logged_[logged_count_] = feature;
  return logged_count_++;
}

FETTLE_INLINE void input_stage::take_logarithms(const double* features,
                                                double* logs) const noexcept {
  for (std::size_t slot = 0; slot < logged_count_; ++slot) {
    logs[slot] = detail::logarithm(features[logged_[slot]]);
  }
}

FETTLE_INLINE bool input_stage::transformed_one(std::size_t i, const double* features,
                                                const double* logs, double& t) const noexcept {
  const source& p = sources_[i];
  const scale& s = scales_[i];
  double value = 0;
  switch (p.kind) {
    case transform::linear:
      value = features[p.first];
      break;
    case transform::log:
      value = logs[p.first];
      break;
    case transform::ratio:
      value = features[p.first] / features[p.second];
      break;
    case transform::log_ratio:
      value = logs[p.first] - logs[p.second];
      break;
    case transform::fraction:
      value = detail::fraction_of(features[p.first] / features[p.second]);
      break;
    case transform::root_fraction:
      value = detail::fraction_of(std::sqrt(features[p.first]));
      break;
  }
  value = detail::rounded(value);
  if (!is_finite(value)) {
    t = s.low;
    return false;
  }
  t = value;
  return value >= s.guard_low && value <= s.guard_high;
}

}  // namespace fettle::model
