// Definitions of rare_selection.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/rare_selection.hpp>
#include <fettle/variant/selection/selection_warnings.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::noinline]] FETTLE_INLINE std::size_t refined_variant_of(const call_plan& plan,
                                                               const evidence& known,
                                                               std::size_t c) {
  const refined_class& refined = plan.deployed().refined[c];
  if (refined.model == nullptr) return plan.variant_of_class(c);
  return refined.variant_of_class[refined.model->predictor.decide(known.of(plan)).variant];
}

[[gnu::cold]] FETTLE_INLINE void finish_trace(json_writer& json, const selection& chosen) {
  json.field("variant", chosen.variant).field("reason", to_text(chosen.reason)).end_object();
}

FETTLE_INLINE selection rare_selection::decide(rare_case why, const evidence* known,
                                               std::size_t choice) const {
  switch (why) {
    case rare_case::without_model:
      return without_model();
    case rare_case::traced:
      return traced(*known);
    case rare_case::gated:
      return settle(*known, plan_.predictor().decide(known->of(plan_)));
    case rare_case::after_failure:
      break;
  }
  return after_failure(*known, choice);
}

FETTLE_INLINE selection rare_selection::without_model() const {
  selection chosen = fallback(selection_reason::no_model);
  if (const std::optional<std::size_t> forced = plan_.deployed().forced) {
    // A forced variant is still not run where it would be wrong.
    const bool legal = !registry_.settings.constraints || constraints_hold(*forced);
    chosen = legal ? made_selection(plan_, *forced, selection_reason::forced)
                   : fallback(selection_reason::constraint_failed);
  }
  if (plan_.is_traced()) {
    std::string line;
    json_writer json(line);
    json.begin_object().field("function", registry_.settings.name);
    finish_trace(json, chosen);
    plan_.deployed().trace->write(std::move(line));
  }
  return chosen;
}

[[gnu::cold]] FETTLE_INLINE selection rare_selection::traced(const evidence& known) const {
  std::string line;
  json_writer json(line);
  json.begin_object().field("function", registry_.settings.name);
  json.key("features").begin_object();
  for (const used_feature& feature : plan_.deployed().features) {
    json.field(registry_.features[feature.registered], known.values[feature.position]);
  }
  json.end_object();
  selection chosen = fallback(selection_reason::feature_failed);
  if (!known.feature_failed) {
    std::vector<double> scores(plan_.deployed().variant_of_class.size());
    const model::decision decision = plan_.predictor().decide(known.of(plan_), scores);
    json.field("inside", decision.inside).key("scores").begin_object();
    for (std::size_t c = 0; c < scores.size(); ++c) {
      json.field(registry_.variants[plan_.variant_of_class(c)], scores[c]);
    }
    json.end_object();
    chosen = settle(known, decision);
  }
  finish_trace(json, chosen);
  plan_.deployed().trace->write(std::move(line));
  return chosen;
}

FETTLE_INLINE selection rare_selection::settle(const evidence& known,
                                               const model::decision& decision) const {
  if (registry_.settings.outside_region == outside_region::use_default && !decision.inside) {
    return fallback(selection_reason::outside_region);
  }
  std::size_t chosen = decision.variant;
  if (plan_.is_gated()) {
    const auto admitted = plan_.deployed().gate->choice(known.of(plan_), chosen);
    if (!admitted) return fallback(selection_reason::error_bound);
    chosen = *admitted;
  }
  const std::size_t choice = variant_of(plan_, known, chosen);
  if (registry_.settings.constraints && !may_run(choice, known)) {
    return after_failure(known, choice);
  }
  return made_selection(
      plan_, choice,
      chosen == decision.variant ? selection_reason::model : selection_reason::error_bound);
}

FETTLE_INLINE selection rare_selection::after_failure(const evidence& known,
                                                      std::size_t choice) const {
  return registry_.settings.on_constraint_failure == constraint_failure::next_best
             ? next_best(known, choice)
             : fallback(selection_reason::constraint_failed);
}

/// The valid variant that the model ranks highest after its choice; none that it never chooses.
FETTLE_INLINE selection rare_selection::next_best(const evidence& known, std::size_t choice) const {
  std::array<double, model::maximum_classes> all_scores;
  const std::span<double> scores(all_scores.data(), plan_.deployed().variant_of_class.size());
  static_cast<void>(plan_.predictor().decide(known.of(plan_), scores));
  std::array<bool, model::maximum_classes> ruled_out{};
  for (std::size_t c = 0; c < scores.size(); ++c) {
    ruled_out[c] = variant_of(plan_, known, c) == choice || scores[c] <= -model::never_chosen ||
                   !is_exact(plan_.variant_of_class(c));
  }
  while (true) {
    std::size_t best = scores.size();
    for (std::size_t c = 0; c < scores.size(); ++c) {
      if (!ruled_out[c] && (best == scores.size() || scores[c] > scores[best])) best = c;
    }
    if (best == scores.size()) return fallback(selection_reason::constraint_failed);
    const std::size_t candidate = variant_of(plan_, known, best);
    if (may_run(candidate, known)) {
      return made_selection(plan_, candidate, selection_reason::next_best);
    }
    ruled_out[best] = true;
  }
}

FETTLE_INLINE std::vector<selection> rare_selection::others(std::size_t k) const {
  std::vector<selection> order;
  for (const std::size_t other : ranked()) {
    if (other == k || !is_exact(other)) continue;
    if (registry_.settings.constraints && !constraints_hold(other)) continue;
    order.push_back(made_selection(plan_, other, selection_reason::infinite_metric));
  }
  return order;
}

/// All variants, the model's choice first.
FETTLE_INLINE std::vector<std::size_t> rare_selection::ranked() const {
  evidence known;
  known.feature_failed = false;
  if (plan_.has_model()) {
    std::size_t i = 0;
    try {
      for (; i < plan_.feature_count(); ++i) {
        const call_plan::feature& feature = plan_.feature_at(i);
        known.values[feature.position] = call_.feature(feature, call_.arguments);
      }
    } catch (...) {
      note_failed_feature(registry_, context_, plan_, i, plan_.feature_count(), known);
    }
  }
  if (!plan_.has_model() || known.feature_failed) {
    std::vector<std::size_t> all(registry_.families.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(plan_.default_variant());
    std::rotate(all.begin(), first, first + 1);
    return all;
  }
  std::vector<double> scores(plan_.deployed().variant_of_class.size());
  static_cast<void>(plan_.predictor().decide(known.of(plan_), scores));
  std::vector<std::size_t> classes(scores.size());
  std::iota(classes.begin(), classes.end(), std::size_t{0});
  std::stable_sort(classes.begin(), classes.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (std::size_t& one : classes) one = variant_of(plan_, known, one);
  return classes;
}

/// What follows another variant has not been asked whether its error keeps the bound.
FETTLE_INLINE bool rare_selection::is_exact(std::size_t k) const {
  return plan_.is_gated() ? plan_.deployed().gate->is_exact(k) : !registry_.is_approximate(k);
}

FETTLE_INLINE bool rare_selection::may_run(std::size_t k, const evidence& known) const {
  if (plan_.variant_at(k).conditions == nullptr) return true;
  if (registry_.settings.parallel_constraint_evaluation &&
      known.verdicts[k] != evidence::verdict::unknown) {
    return known.verdicts[k] == evidence::verdict::holds;
  }
  return constraints_hold(k);
}

FETTLE_INLINE bool rare_selection::constraints_hold(std::size_t k) const {
  if (plan_.variant_at(k).conditions == nullptr) return true;
  try {
    for (const any_call& constraint : *plan_.variant_at(k).conditions) {
      if (!call_.constraint(constraint.target(), call_.arguments)) return false;
    }
    return true;
  } catch (...) {
    warn_of_constraint(registry_, context_, k);
  }
  return false;
}

[[gnu::cold]] FETTLE_INLINE void trace_next(const registry& function, const call_plan& plan,
                                            std::size_t after, const selection& next) {
  if (!plan.is_traced()) return;
  std::string line;
  json_writer json(line);
  json.begin_object().field("function", function.settings.name);
  json.field("after", plan.variant_at(after).name);
  finish_trace(json, next);
  plan.deployed().trace->write(std::move(line));
}

}  // namespace fettle::detail
