// The way from a call's arguments to a variant: evaluate the features that the model uses, ask the
// model, check constraints, fall back where something is amiss.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/callables.hpp>
#include <fettle/variant/context.hpp>
#include <fettle/variant/deployment.hpp>
#include <fettle/variant/policy.hpp>
#include <fettle/variant/selection.hpp>

namespace fettle::detail {

/// What is known of one input: feature values in the model's order, and which variants may run.
/// Left uninitialised where nothing looks at it; 1.5 KiB on the stack.
struct evidence {
  enum class verdict : signed char { unknown, holds, fails };

  std::array<double, maximum_features> values;
  std::array<verdict, model::maximum_classes> verdicts;
  bool feature_failed;
};

/// A view of one code_variant's tables. Stateless; every member may run in any number of threads.
template <typename Policy, typename... Args>
class selector {
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();

 public:
  /// Constraints are evaluated ahead of the model's choice, all at once.
  static constexpr bool constraints_ahead =
      settings.constraints && settings.parallel_constraint_evaluation;

  selector(const registry& function, const std::vector<erased_feature<Args...>>& features,
           const std::vector<std::vector<erased_constraint<Args...>>>& constraints, context& shared)
      : registry_(function), features_(features), constraints_(constraints), context_(shared) {}

  selection choose(const deployment& plan, observed<Args>... args) const {
    if (plan.model == nullptr) [[unlikely]]
      return choose_without_model(plan, args...);
    evidence known;
    start(known);
    if constexpr (settings.parallel_feature_evaluation) {
      evaluation::for_each(plan.features.size(),
                           [&](std::size_t i) { evaluate_feature(plan, i, known, args...); });
    } else {
      evaluate_features(plan, known, args...);
    }
    if constexpr (constraints_ahead) {
      evaluation::for_each(constraints_.size(),
                           [&](std::size_t k) { evaluate_constraints(k, known, args...); });
    }
    return conclude(plan, known, args...);
  }

  /// The default variant.
  selection fallback(selection_reason reason) const {
    return made(registry_.default_index, reason);
  }

  // The steps of choose(), for evaluation in the background.

  static void start(evidence& known) noexcept {
    known.feature_failed = false;
    if constexpr (constraints_ahead) known.verdicts.fill(evidence::verdict::unknown);
  }

  void evaluate_features(const deployment& plan, evidence& known, observed<Args>... args) const {
    try {
      for (const used_feature& feature : plan.features) {
        known.values[feature.position] = features_[feature.registered](args...);
      }
    } catch (...) {
      feature_threw(known);
    }
  }

  void evaluate_feature(const deployment& plan, std::size_t i, evidence& known,
                        observed<Args>... args) const {
    const used_feature& feature = plan.features[i];
    try {
      known.values[feature.position] = features_[feature.registered](args...);
    } catch (...) {
      feature_threw(known);
    }
  }

  void evaluate_constraints(std::size_t k, evidence& known, observed<Args>... args) const {
    if (constraints_[k].empty()) return;
    known.verdicts[k] =
        constraints_hold(k, args...) ? evidence::verdict::holds : evidence::verdict::fails;
  }

  std::size_t constrained_variants() const noexcept { return constraints_.size(); }

  selection conclude(const deployment& plan, const evidence& known, observed<Args>... args) const {
    if (plan.trace != nullptr) [[unlikely]]
      return conclude_traced(plan, known, args...);
    if (known.feature_failed) [[unlikely]]
      return fallback(selection_reason::feature_failed);
    const model::decision decision = plan.model->predictor.decide(values_of(plan, known));
    return settle(plan, known, decision, args...);
  }

 private:
  selection made(std::size_t index, selection_reason reason) const {
    return {index, registry_.variants[index], reason};
  }

  static std::span<const double> values_of(const deployment& plan, const evidence& known) {
    return {known.values.data(), plan.model->features.size()};
  }

  selection settle(const deployment& plan, const evidence& known, const model::decision& decision,
                   observed<Args>... args) const {
    if constexpr (settings.outside_region == outside_region::use_default) {
      if (!decision.inside) return fallback(selection_reason::outside_region);
    }
    const std::size_t choice = variant_of(plan, known, decision.variant);
    if constexpr (settings.constraints) {
      if (!may_run(choice, known, args...)) [[unlikely]] {
        if constexpr (settings.on_constraint_failure == constraint_failure::next_best) {
          return next_best(plan, known, choice, args...);
        }
        return fallback(selection_reason::constraint_failed);
      }
    }
    return made(choice, selection_reason::model);
  }

  /// The variant of one of the model's classes, at the point that the model for its parameters
  /// chooses, if it has one.
  static std::size_t variant_of(const deployment& plan, const evidence& known, std::size_t c) {
    if (plan.refined.empty() || plan.refined[c].model == nullptr) return plan.variant_of_class[c];
    const refined_class& refined = plan.refined[c];
    return refined
        .variant_of_class[refined.model->predictor.decide(values_of(plan, known)).variant];
  }

  bool may_run(std::size_t k, const evidence& known, observed<Args>... args) const {
    if (constraints_[k].empty()) return true;
    if constexpr (constraints_ahead) {
      if (known.verdicts[k] != evidence::verdict::unknown) {
        return known.verdicts[k] == evidence::verdict::holds;
      }
    }
    return constraints_hold(k, args...);
  }

  bool constraints_hold(std::size_t k, observed<Args>... args) const {
    try {
      for (const erased_constraint<Args...>& constraint : constraints_[k]) {
        if (!constraint(args...)) return false;
      }
      return true;
    } catch (const std::exception& problem) {
      warn("a constraint of " + registry_.variants[k] + " threw: " + problem.what());
    } catch (...) {
      warn("a constraint of " + registry_.variants[k] + " threw");
    }
    return false;
  }

  /// The valid variant that the model ranks highest after its choice.
  selection next_best(const deployment& plan, const evidence& known, std::size_t choice,
                      observed<Args>... args) const {
    std::array<double, model::maximum_classes> all_scores;
    const std::span<double> scores(all_scores.data(), plan.variant_of_class.size());
    static_cast<void>(plan.model->predictor.decide(values_of(plan, known), scores));
    std::array<bool, model::maximum_classes> ruled_out{};
    for (std::size_t c = 0; c < scores.size(); ++c) {
      ruled_out[c] = variant_of(plan, known, c) == choice;
    }
    while (true) {
      std::size_t best = scores.size();
      for (std::size_t c = 0; c < scores.size(); ++c) {
        if (!ruled_out[c] && (best == scores.size() || scores[c] > scores[best])) best = c;
      }
      if (best == scores.size()) return fallback(selection_reason::constraint_failed);
      const std::size_t candidate = variant_of(plan, known, best);
      if (may_run(candidate, known, args...)) return made(candidate, selection_reason::next_best);
      ruled_out[best] = true;
    }
  }

  selection choose_without_model(const deployment& plan, observed<Args>... args) const {
    selection chosen = fallback(selection_reason::no_model);
    if (plan.forced) {
      // A forced variant is still not run where it would be wrong.
      const bool legal = !settings.constraints || constraints_hold(*plan.forced, args...);
      chosen = legal ? made(*plan.forced, selection_reason::forced)
                     : fallback(selection_reason::constraint_failed);
    }
    if (plan.trace != nullptr) {
      std::string line;
      json_writer json(line);
      json.begin_object().field("function", registry_.settings.name);
      finish_trace(json, chosen);
      plan.trace->write(std::move(line));
    }
    return chosen;
  }

  selection conclude_traced(const deployment& plan, const evidence& known,
                            observed<Args>... args) const {
    std::string line;
    json_writer json(line);
    json.begin_object().field("function", registry_.settings.name);
    json.key("features").begin_object();
    for (const used_feature& feature : plan.features) {
      json.field(registry_.features[feature.registered], known.values[feature.position]);
    }
    json.end_object();
    selection chosen = fallback(selection_reason::feature_failed);
    if (!known.feature_failed) {
      std::vector<double> scores(plan.variant_of_class.size());
      const model::decision decision = plan.model->predictor.decide(values_of(plan, known), scores);
      json.field("inside", decision.inside).key("scores").begin_object();
      for (std::size_t c = 0; c < scores.size(); ++c) {
        json.field(registry_.variants[plan.variant_of_class[c]], scores[c]);
      }
      json.end_object();
      chosen = settle(plan, known, decision, args...);
    }
    finish_trace(json, chosen);
    plan.trace->write(std::move(line));
    return chosen;
  }

  static void finish_trace(json_writer& json, const selection& chosen) {
    json.field("variant", chosen.variant).field("reason", to_text(chosen.reason)).end_object();
  }

  // Called in a catch block. Features may fail in several tasks at once; each only ever writes
  // true.
  void feature_threw(evidence& known) const {
    std::atomic_ref<bool>(known.feature_failed).store(true, std::memory_order_relaxed);
    try {
      throw;
    } catch (const std::exception& problem) {
      warn(std::string("a feature threw: ") + problem.what() + "; the default variant runs");
    } catch (...) {
      warn("a feature threw; the default variant runs");
    }
  }

  void warn(const std::string& message) const {
    context_.warn_once(std::string(registry_.settings.name) + ": " + message);
  }

  const registry& registry_;
  const std::vector<erased_feature<Args...>>& features_;
  const std::vector<std::vector<erased_constraint<Args...>>>& constraints_;
  context& context_;
};

}  // namespace fettle::detail
