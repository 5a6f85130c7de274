// Definitions of policy_json.hpp.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/policy_json.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string policy_json(const policy_settings& all) {
  std::string text;
  const auto next_best_or = [](bool is_next_best, const char* other) {
    return is_next_best ? "next_best" : other;
  };
  json_writer json(text);
  json.begin_object()
      .field("constraints", all.constraints)
      .field("parallel_feature_evaluation", all.parallel_feature_evaluation)
      .field("parallel_constraint_evaluation", all.parallel_constraint_evaluation)
      .field("async_feature_eval", all.async_feature_eval)
      .field("on_constraint_failure",
             next_best_or(all.on_constraint_failure == constraint_failure::next_best, "default"))
      .field("on_infinite_metric",
             next_best_or(all.on_infinite_metric == infinite_metric::next_best, "return"))
      .field("outside_region",
             all.outside_region == outside_region::predict ? "predict" : "default")
      .field("metric", all.metric == metric_source::elapsed ? "elapsed" : "returned")
      .field("larger_is_better", all.larger_is_better)
      .field("strict", all.strict)
      .field("header", !all.model_directory.empty());
  if (!all.metrics.empty()) json.field("metrics", all.metrics);
  if (!all.meters.empty()) json.field("meters", all.meters);
  if (all.tunes_frequency) json.field("frequency", true).field("sets_clocks", all.sets_clocks);
  if (all.monitor > 0) {
    json.field("monitor", static_cast<double>(all.monitor))
        .field("on_unexpected", all.on_unexpected == unexpected_cost::report      ? "report"
                                : all.on_unexpected == unexpected_cost::next_best ? "next_best"
                                                                                  : "default");
  }
  if (all.check_every != policy_settings().check_every) {
    json.field("check_every", static_cast<double>(all.check_every));
  }
  json.end_object();
  return text;
}

}  // namespace fettle::detail
