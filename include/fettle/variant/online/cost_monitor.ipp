// Definitions of cost_monitor.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/online/cost_monitor.hpp>
#include <fettle/variant/registration/held_warnings.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

FETTLE_INLINE int cumulative_sums::add(double difference) noexcept {
  const double clipped = std::clamp(difference, -largest, largest);
  up_ = std::max(0.0, up_ + clipped - slack);
  down_ = std::max(0.0, down_ - clipped - slack);
  if (up_ <= limit && down_ <= limit) return 0;
  const int direction = up_ > limit ? 1 : -1;
  restart();
  return direction;
}

FETTLE_INLINE std::optional<double> known_inputs::counted(std::span<const double> features,
                                                          std::size_t variant,
                                                          double difference) noexcept {
  std::uint64_t key = 0x9E37'79B9'7F4A'7C15U + variant;  // mixed as by Steele et al. (SplitMix64)
  for (const double value : features) {
    key = (key ^ std::bit_cast<std::uint64_t>(value)) * 0xBF58'476D'1CE4'E5B9U;
    key ^= key >> 27U;
  }
  entry& known = entries_[(key >> 32U) % entries_.size()];
  if (known.calls == 0 || known.key != key) {
    known = {key, 1, difference};
    return difference;
  }
  if (known.calls < learned) {
    ++known.calls;
    known.mean += (difference - known.mean) / known.calls;
    return std::nullopt;
  }
  return difference - known.mean;
}

FETTLE_INLINE bool cost_monitor::withdrawn(std::size_t k) const noexcept {
  const std::uint64_t bits = withdrawn_[k / 64 % withdrawn_.size()].load(std::memory_order_relaxed);
  return ((bits >> (k % 64)) & 1U) != 0;
}

[[gnu::cold]] FETTLE_INLINE void cost_monitor::begin(const call_plan& plan,
                                                     const registry& function, context& shared) {
  begun_ = true;
  variants_.resize(function.variants.size());
  const model::loaded_model& model = *plan.deployed().model;
  stage_ = model::input_stage(model.inputs, std::nullopt);
  for (std::size_t c = 0; c < model.variants.size(); ++c) {
    for (const model::expectation& one : model.expectations) {
      const std::size_t k = plan.variant_of_class(c);
      if (one.variant == model.variants[c] && k < variants_.size()) variants_[k].expected = &one;
    }
  }
  if (model.expectations.empty()) {
    shared.warn_once(std::string(function.settings.name) +
                     ": monitor is on, but the model does not say what to expect; set monitor in "
                     "the tuning script, and run it again");
  }
}

[[gnu::cold]] FETTLE_INLINE void cost_monitor::note(const call_plan& plan, const registry& function,
                                                    context& shared, std::size_t k,
                                                    std::span<const double> values, double metric) {
  const held_warnings held;
  const std::scoped_lock lock(mutex_);
  if (!begun_) begin(plan, function, shared);
  if (k >= variants_.size() || variants_[k].expected == nullptr) return;
  if (!is_finite(metric) || metric <= 0) return;
  watched& one = variants_[k];
  std::array<double, model::maximum_inputs> inputs{};
  static_cast<void>(stage_.scaled(values.data(), inputs.data()));
  double expected = one.expected->constant;
  for (std::size_t i = 0; i < one.expected->slopes.size(); ++i) {
    expected += one.expected->slopes[i] * inputs[i];
  }
  const double more = function.settings.larger_is_better ? expected - std::log(metric)
                                                         : std::log(metric) - expected;
  const std::optional<double> counted = inputs_.counted(values, k, more / one.expected->deviation);
  if (!counted) return;
  one.total += *counted * one.expected->deviation;
  ++one.calls;
  const int direction = one.sums.add(*counted);
  if (direction != 0 && direction != one.reported) {
    one.reported = direction;
    tell(function, shared, k, direction);
  }
}

[[gnu::cold]] FETTLE_INLINE void cost_monitor::tell(const registry& function, context& shared,
                                                    std::size_t k, int direction) {
  watched& one = variants_[k];
  const double factor = std::exp(one.total / one.calls);
  const bool moves = direction > 0 && function.settings.on_unexpected != unexpected_cost::report &&
                     k != function.default_index;
  std::string message = std::string(function.settings.name) + ": " + function.variants[k] +
                        " costs " + number_text(std::round(100 * factor) / 100) +
                        " times what the model expects, on average over " + number_text(one.calls) +
                        " monitored calls";
  if (moves) {
    withdrawn_[k / 64 % withdrawn_.size()].fetch_or(std::uint64_t{1} << (k % 64));
    has_withdrawn_.store(true);
    message += function.settings.on_unexpected == unexpected_cost::next_best
                   ? "; the next best variant runs in its place"
                   : "; the default variant runs in its place";
  }
  shared.warn_once(message + ". Has the machine, its driver or its load changed? If it stays so, " +
                   "run the tuning script again");
  one.total = 0;
  one.calls = 0;
}

}  // namespace fettle::detail
