// What selections do that are rare: without a model, traced, or after something failed. Compiled
// once for all tuned functions; selector.hpp has what every call does.
#pragma once

#include <cstddef>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/evidence.hpp>
#include <fettle/variant/selection/selection.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[nodiscard]] inline selection made_selection(const call_plan& plan, std::size_t index,
                                              selection_reason reason) {
  return {index, plan.variant_at(index).name, reason};
}

/// The variant of one of the model's classes where some have a model for their parameters: at the
/// point that this model chooses. Out of line, so that calls inline the first model's decision.
[[nodiscard]] std::size_t refined_variant_of(const call_plan& plan, const evidence& known,
                                             std::size_t c);

[[nodiscard]] inline std::size_t variant_of(const call_plan& plan, const evidence& known,
                                            std::size_t c) {
  return plan.is_refined() ? refined_variant_of(plan, known, c) : plan.variant_of_class(c);
}

/// Why a selection is rare.
enum class rare_case {
  without_model,
  traced,         ///< from what is known of the input, with a line in the trace
  gated,          ///< from what is known of the input, by a model with approximate variants
  after_failure,  ///< what runs in place of a variant whose constraints fail, as the policy says
};

/// One selection of a function. Stateless but for its arguments.
class rare_selection {
 public:
  rare_selection(const registry& function, context& shared, const call_plan& plan, call_view call)
      : registry_(function), context_(shared), plan_(plan), call_(call) {}

  /// `known` is null without a model; `choice` is the variant that failed.
  [[nodiscard]] selection decide(rare_case why, const evidence* known, std::size_t choice) const;

  /// The variants to run, one after the other, where variant k came to an infinite metric: as the
  /// model ranks them, without those whose constraints fail. Without a model, or where a feature
  /// throws: the default, then the others in the order of registration.
  [[nodiscard]] std::vector<selection> others(std::size_t k) const;

 private:
  [[nodiscard]] selection fallback(selection_reason reason) const {
    return made_selection(plan_, plan_.default_variant(), reason);
  }
  [[nodiscard]] selection without_model() const;
  [[nodiscard]] selection traced(const evidence& known) const;
  [[nodiscard]] selection after_failure(const evidence& known, std::size_t choice) const;
  [[nodiscard]] selection settle(const evidence& known, const model::decision& decision) const;
  [[nodiscard]] selection next_best(const evidence& known, std::size_t choice) const;
  [[nodiscard]] std::vector<std::size_t> ranked() const;
  [[nodiscard]] bool is_exact(std::size_t k) const;
  [[nodiscard]] bool may_run(std::size_t k, const evidence& known) const;
  [[nodiscard]] bool constraints_hold(std::size_t k) const;

  const registry& registry_;
  context& context_;
  const call_plan& plan_;
  call_view call_;
};

/// Traces that `next` runs because variant `after` came to an infinite metric.
void trace_next(const registry& function, const call_plan& plan, std::size_t after,
                const selection& next);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/rare_selection.ipp>
#endif
