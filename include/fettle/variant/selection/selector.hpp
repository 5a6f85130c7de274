// The way from a call's arguments to a variant: evaluate the features that the model uses, ask the
// model, check constraints, fall back where something is amiss.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/selection.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What is known of one input: feature values in the model's order, and which variants may run.
/// Left uninitialised where nothing looks at it; 1.5 KiB on the stack.
struct evidence {
  enum class verdict : signed char { unknown, holds, fails };

  bool feature_failed;  // first: with the first few values, all that most calls touch
  std::array<double, maximum_features> values;
  std::array<verdict, model::maximum_classes> verdicts;
};

/// A view of one code_variant's tables. Stateless; every member may run in any number of threads.
template <typename Policy, typename Result, typename... Args>
class selector {
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();

 public:
  using plan_type = call_plan<Result, Args...>;
  /// Constraints are evaluated ahead of the model's choice, all at once.
  static constexpr bool constraints_ahead =
      settings.constraints && settings.parallel_constraint_evaluation;

  selector(const registry& function, context& shared) : registry_(function), context_(shared) {}

  selection choose(const plan_type& plan, observed<Args>... args) const {
    if (!plan.has_model()) [[unlikely]]
      return choose_without_model(plan, args...);
    plan.prefetch();
    evidence known;
    start(known);
    if constexpr (settings.parallel_feature_evaluation) {
      evaluation::for_each(plan.feature_count(),
                           [&](std::size_t i) { evaluate_feature(plan, i, known, args...); });
    } else {
      evaluate_features(plan, known, args...);
    }
    if constexpr (constraints_ahead) {
      evaluation::for_each(constrained_variants(),
                           [&](std::size_t k) { evaluate_constraints(plan, k, known, args...); });
    }
    return conclude(plan, known, args...);
  }

  /// The default variant.
  static selection fallback(const plan_type& plan, selection_reason reason) {
    return made(plan, plan.default_variant(), reason);
  }

  // The steps of choose(), for evaluation in the background.

  static void start(evidence& known) noexcept {
    known.feature_failed = false;
    if constexpr (constraints_ahead) known.verdicts.fill(evidence::verdict::unknown);
  }

  void evaluate_features(const plan_type& plan, evidence& known, observed<Args>... args) const {
    try {
      for (std::size_t i = 0; i < plan.feature_count(); ++i) {
        const auto& feature = plan.feature_at(i);
        known.values[feature.position] = feature(args...);
      }
    } catch (...) {
      feature_threw(known);
    }
  }

  void evaluate_feature(const plan_type& plan, std::size_t i, evidence& known,
                        observed<Args>... args) const {
    const auto& feature = plan.feature_at(i);
    try {
      known.values[feature.position] = feature(args...);
    } catch (...) {
      feature_threw(known);
    }
  }

  void evaluate_constraints(const plan_type& plan, std::size_t k, evidence& known,
                            observed<Args>... args) const {
    if (plan.variant_at(k).conditions == nullptr) return;
    known.verdicts[k] =
        constraints_hold(plan, k, args...) ? evidence::verdict::holds : evidence::verdict::fails;
  }

  /// The variants to run, one after the other, where variant k came to an infinite metric: as the
  /// model ranks them, without those whose constraints fail. Without a model, or where a feature
  /// throws: the default, then the others in the order of registration.
  [[gnu::noinline]] std::vector<selection> others(const plan_type& plan, std::size_t k,
                                                  observed<Args>... args) const {
    std::vector<selection> order;
    for (const std::size_t other : ranked(plan, args...)) {
      if (other == k || (settings.constraints && !constraints_hold(plan, other, args...))) continue;
      order.push_back(made(plan, other, selection_reason::infinite_metric));
    }
    return order;
  }

  /// Traces that `next` runs because variant `after` came to an infinite metric.
  [[gnu::noinline]] void trace_next(const plan_type& plan, std::size_t after,
                                    const selection& next) const {
    if (!plan.is_traced()) return;
    std::string line;
    json_writer json(line);
    json.begin_object().field("function", registry_.settings.name);
    json.field("after", plan.variant_at(after).name);
    finish_trace(json, next);
    plan.deployed().trace->write(std::move(line));
  }

  std::size_t constrained_variants() const noexcept { return registry_.variants.size(); }

  selection conclude(const plan_type& plan, const evidence& known, observed<Args>... args) const {
    if (plan.is_traced()) [[unlikely]]
      return conclude_traced(plan, known, args...);
    if (known.feature_failed) [[unlikely]]
      return fallback(plan, selection_reason::feature_failed);
    const model::decision decision = plan.predictor().decide(values_of(plan, known));
    return settle(plan, known, decision, args...);
  }

 private:
  static selection made(const plan_type& plan, std::size_t index, selection_reason reason) {
    return {index, plan.variant_at(index).name, reason};
  }

  static std::span<const double> values_of(const plan_type& plan, const evidence& known) {
    return {known.values.data(), plan.value_count()};
  }

  selection settle(const plan_type& plan, const evidence& known, const model::decision& decision,
                   observed<Args>... args) const {
    if constexpr (settings.outside_region == outside_region::use_default) {
      if (!decision.inside) return fallback(plan, selection_reason::outside_region);
    }
    const std::size_t choice = variant_of(plan, known, decision.variant);
    if constexpr (settings.constraints) {
      if (!may_run(plan, choice, known, args...)) [[unlikely]] {
        if constexpr (settings.on_constraint_failure == constraint_failure::next_best) {
          return next_best(plan, known, choice, args...);
        }
        return fallback(plan, selection_reason::constraint_failed);
      }
    }
    return made(plan, choice, selection_reason::model);
  }

  /// The variant of one of the model's classes, at the point that the model for its parameters
  /// chooses, if it has one.
  static std::size_t variant_of(const plan_type& plan, const evidence& known, std::size_t c) {
    if (!plan.is_refined()) [[likely]]
      return plan.variant_of_class(c);
    const refined_class& refined = plan.deployed().refined[c];
    if (refined.model == nullptr) return plan.variant_of_class(c);
    return refined
        .variant_of_class[refined.model->predictor.decide(values_of(plan, known)).variant];
  }

  bool may_run(const plan_type& plan, std::size_t k, const evidence& known,
               observed<Args>... args) const {
    if (plan.variant_at(k).conditions == nullptr) return true;
    if constexpr (constraints_ahead) {
      if (known.verdicts[k] != evidence::verdict::unknown) {
        return known.verdicts[k] == evidence::verdict::holds;
      }
    }
    return constraints_hold(plan, k, args...);
  }

  bool constraints_hold(const plan_type& plan, std::size_t k, observed<Args>... args) const {
    if (plan.variant_at(k).conditions == nullptr) return true;
    try {
      for (const erased_constraint<Args...>& constraint : *plan.variant_at(k).conditions) {
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

  // What follows is rare: out of the way of the code that every call runs.

  /// The valid variant that the model ranks highest after its choice; none that it never chooses.
  [[gnu::noinline]] selection next_best(const plan_type& plan, const evidence& known,
                                        std::size_t choice, observed<Args>... args) const {
    std::array<double, model::maximum_classes> all_scores;
    const std::span<double> scores(all_scores.data(), plan.deployed().variant_of_class.size());
    static_cast<void>(plan.predictor().decide(values_of(plan, known), scores));
    std::array<bool, model::maximum_classes> ruled_out{};
    for (std::size_t c = 0; c < scores.size(); ++c) {
      ruled_out[c] = variant_of(plan, known, c) == choice || scores[c] <= -model::never_chosen;
    }
    while (true) {
      std::size_t best = scores.size();
      for (std::size_t c = 0; c < scores.size(); ++c) {
        if (!ruled_out[c] && (best == scores.size() || scores[c] > scores[best])) best = c;
      }
      if (best == scores.size()) return fallback(plan, selection_reason::constraint_failed);
      const std::size_t candidate = variant_of(plan, known, best);
      if (may_run(plan, candidate, known, args...))
        return made(plan, candidate, selection_reason::next_best);
      ruled_out[best] = true;
    }
  }

  /// All variants, the model's choice first.
  std::vector<std::size_t> ranked(const plan_type& plan, observed<Args>... args) const {
    evidence known;
    known.feature_failed = false;
    if (plan.has_model()) evaluate_features(plan, known, args...);
    if (!plan.has_model() || known.feature_failed) {
      std::vector<std::size_t> all(registry_.families.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      std::rotate(all.begin(), all.begin() + plan.default_variant(),
                  all.begin() + plan.default_variant() + 1);
      return all;
    }
    std::vector<double> scores(plan.deployed().variant_of_class.size());
    static_cast<void>(plan.predictor().decide(values_of(plan, known), scores));
    std::vector<std::size_t> classes(scores.size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    std::stable_sort(classes.begin(), classes.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    for (std::size_t& one : classes) one = variant_of(plan, known, one);
    return classes;
  }

  [[gnu::noinline]] selection choose_without_model(const plan_type& plan,
                                                   observed<Args>... args) const {
    selection chosen = fallback(plan, selection_reason::no_model);
    if (const std::optional<std::size_t> forced = plan.deployed().forced) {
      // A forced variant is still not run where it would be wrong.
      const bool legal = !settings.constraints || constraints_hold(plan, *forced, args...);
      chosen = legal ? made(plan, *forced, selection_reason::forced)
                     : fallback(plan, selection_reason::constraint_failed);
    }
    if (plan.is_traced()) {
      std::string line;
      json_writer json(line);
      json.begin_object().field("function", registry_.settings.name);
      finish_trace(json, chosen);
      plan.deployed().trace->write(std::move(line));
    }
    return chosen;
  }

  [[gnu::noinline]] selection conclude_traced(const plan_type& plan, const evidence& known,
                                              observed<Args>... args) const {
    std::string line;
    json_writer json(line);
    json.begin_object().field("function", registry_.settings.name);
    json.key("features").begin_object();
    for (const used_feature& feature : plan.deployed().features) {
      json.field(registry_.features[feature.registered], known.values[feature.position]);
    }
    json.end_object();
    selection chosen = fallback(plan, selection_reason::feature_failed);
    if (!known.feature_failed) {
      std::vector<double> scores(plan.deployed().variant_of_class.size());
      const model::decision decision = plan.predictor().decide(values_of(plan, known), scores);
      json.field("inside", decision.inside).key("scores").begin_object();
      for (std::size_t c = 0; c < scores.size(); ++c) {
        json.field(registry_.variants[plan.variant_of_class(c)], scores[c]);
      }
      json.end_object();
      chosen = settle(plan, known, decision, args...);
    }
    finish_trace(json, chosen);
    plan.deployed().trace->write(std::move(line));
    return chosen;
  }

  static void finish_trace(json_writer& json, const selection& chosen) {
    json.field("variant", chosen.variant).field("reason", to_text(chosen.reason)).end_object();
  }

  // Called in a catch block. Features may fail in several tasks at once; each only ever writes
  // true.
  [[gnu::noinline]] void feature_threw(evidence& known) const {
    std::atomic_ref<bool>(known.feature_failed).store(true, std::memory_order_relaxed);
    try {
      throw;
    } catch (const std::exception& problem) {
      warn(std::string("a feature threw: ") + problem.what() + "; the default variant runs");
    } catch (...) {
      warn("a feature threw; the default variant runs");
    }
  }

  [[gnu::noinline]] void warn(const std::string& message) const {
    context_.warn_once(std::string(registry_.settings.name) + ": " + message);
  }

  const registry& registry_;
  context& context_;
};

}  // namespace fettle::detail
