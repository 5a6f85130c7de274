// Definitions of trial.hpp.
#pragma once

#include <cstddef>
#include <string>
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

 private:
  struct tried_point {
    std::size_t family;
    any_call variant;
  };

  training_run run(std::size_t k, std::size_t repeat);
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
  const trainee described = variants.describe(function.names.settings.constraints);
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
