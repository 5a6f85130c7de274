// Definitions of trial.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/parameters_json.hpp>
#include <fettle/variant/registration/policy_json.hpp>
#include <fettle/variant/registration/quality_json.hpp>
#include <fettle/variant/training/training.hpp>
#include <fettle/variant/training/trial.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The variants of one call in training, points of parameters among them that are tried out here.
class trial {
 public:
  trial(const registered& function, const variant_tables& tables, call_in_training& call)
      : function_(function), tables_(tables), call_(call) {}

  /// Refers to this.
  trainee describe(bool constrained);

  /// Lets the function's meters run around its variants.
  void add_meters(trainee& made);

 private:
  struct tried_point {
    std::size_t family;
    any_call variant;
  };

  training_run run(std::size_t k, std::size_t repeat);
  std::vector<meter_reading> metered(std::size_t k);
  bool constraints_hold(std::size_t k);
  std::size_t at_point(const std::string& text);

  /// The registered variant that the k-th is, or is a point of.
  std::size_t registered_as(std::size_t k) const {
    return k < tables_.variants.size() ? k : tried_[k - tables_.variants.size()].family;
  }

  const registered& function_;
  const variant_tables& tables_;
  call_in_training& call_;
  std::vector<tried_point> tried_;
  std::vector<std::shared_ptr<meter>> meters_;
  std::string metrics_;  // of variants and meters
};

[[gnu::cold]] FETTLE_INLINE training_run trial::run(std::size_t k, std::size_t repeat) {
  const any_call& variant = k < tables_.variants.size()
                                ? tables_.variants[k]
                                : tried_[k - tables_.variants.size()].variant;
  // Before the clock that measures starts: what setting one costs is charged where calls do it.
  if (tables_.clocks != nullptr) {
    function_.names.clock_control->force(*tables_.clocks, tables_.clock_of[k]);
  }
  training_run run = call_.run(variant, repeat);
  if (!tables_.returns_metric[registered_as(k)] || call_.times_results) run.metric = run.seconds;
  return run;
}

[[gnu::cold]] FETTLE_INLINE std::vector<meter_reading> trial::metered(std::size_t k) {
  std::vector<meter_reading> found;
  for (const std::shared_ptr<meter>& one : meters_) {
    for (meter_reading& reading : one->measure([&] { static_cast<void>(run(k, 1)); })) {
      if (call_.resets) reading.note += reading.note.empty() ? "with resets" : "; with resets";
      found.push_back(std::move(reading));
    }
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE void trial::add_meters(trainee& made) {
  meters_ = function_.all_meters();
  if (meters_.empty()) return;
  metrics_ = made.metrics;
  if (metrics_.empty()) metrics_ = made.timed ? "seconds=s" : "metric=";
  for (const std::shared_ptr<meter>& one : meters_) {
    for (const auto& [name, unit] : one->metrics()) {
      made.metered.push_back(name);
      metrics_.append(" ").append(name).append("=").append(unit);
    }
  }
  made.metrics = metrics_;
  made.meter = [this](std::size_t k) { return metered(k); };
}

[[gnu::cold]] FETTLE_INLINE bool trial::constraints_hold(std::size_t k) {
  for (const any_call& constraint : tables_.constraints[registered_as(k)]) {
    if (!call_.holds(constraint)) return false;
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE std::size_t trial::at_point(const std::string& text) {
  const auto point = function_.names.parse_point(text);
  if (!point) throw error(text + " is not a point of a variant with parameters");
  tried_.push_back({point->family, tables_.points[point->family](point->values)});
  return tables_.variants.size() + tried_.size() - 1;
}

[[gnu::cold]] FETTLE_INLINE trainee trial::describe(bool constrained) {
  const registry& names = function_.names;
  trainee made;
  made.variants = names.variants;
  made.policy = policy_json(names.settings);
  made.parameters = parameters_json(names);
  made.versions = versions_json(names);
  made.features = names.features;
  made.default_index = names.default_index;
  made.larger_is_better = names.settings.larger_is_better;
  made.metrics = names.settings.metrics;
  made.quality = quality_json(names);
  made.timed = tables_.none_returns_metric() || call_.times_results;
  made.may_repeat = made.timed && call_.cheap_to_pass;
  made.misuse = call_.misuse;
  made.evaluate = [this](std::size_t i) { return call_.evaluate(function_.features[i]); };
  made.why_not = [this](std::size_t k) {
    const bool refused = !function_.names.bound && k < tables_.variants.size() &&
                         &tables_ == &function_.callables && function_.names.is_approximate(k);
    return std::string(refused ? "approximate, and set_quality gives no bound" : "");
  };
  made.constraints_hold = [this, constrained](std::size_t k) {
    return !constrained || constraints_hold(k);
  };
  made.at_point = [this](const std::string& text) { return at_point(text); };
  made.run = [this](std::size_t k, std::size_t repeat) { return run(k, repeat); };
  if (call_.verifies) {
    made.keep_reference = [this] { call_.keep_reference(); };
    made.compared = [this](std::size_t k) {
      return call_.compared(function_.names.is_approximate(registered_as(k)));
    };
  }
  return made;
}

[[gnu::cold]] FETTLE_INLINE void measure_variants(const training_request& request,
                                                  const registered& function,
                                                  call_in_training& call) {
  trial variants(function, function.callables, call);
  trainee described = variants.describe(function.names.settings.constraints);
  variants.add_meters(described);
  if (training_session::instance(request).measure(described)) call.reset();
}

[[gnu::cold]] FETTLE_INLINE void measure_contenders(const training_request& request,
                                                    const registered& function,
                                                    const variant_tables& tables,
                                                    const std::vector<std::string>& variants,
                                                    call_in_training& call) {
  trial contending(function, tables, call);
  trainee described = contending.describe(false);
  described.variants = variants;
  described.default_index = 0;
  described.parameters.clear();
  described.quality.clear();
  if (function.names.has_approximate()) {  // the default's output says nothing of what they choose
    described.keep_reference = nullptr;
    described.compared = nullptr;
  }
  if (training_session::instance(request).measure(described)) call.reset();
}

}  // namespace fettle::detail
