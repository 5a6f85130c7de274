// check_policy: what a tuning policy must not ask of a function, each in one sentence.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/measure/measured.hpp>
#include <fettle/measure/metric_names.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// True; where the policy does not fit a function of `Shape`, a compile-time error says why.
template <typename Policy, typename Shape>
consteval bool check_policy() {
  constexpr policy_settings settings = settings_of<Policy>();
  using evaluation = evaluation_of<Policy>;
  constexpr bool metrics_are_declared =
      declared_metrics(settings.metrics) == measured_count<typename Shape::result> ||
      (declared_metrics(settings.metrics) == 1 && !several_metrics<typename Shape::result>);
  static_assert(
      metrics_are_declared,
      "A function that returns fettle::measured<N> has N metrics in its policy: metrics={...} in "
      "the tuning script, or static constexpr std::string_view metrics = \"seconds=s joules=J\";");
  static_assert(
      !settings.async_feature_eval || evaluation::is_concurrent,
      "async_feature_eval needs `using evaluation = fettle::tbb_evaluation;` in the policy "
      "and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert(
      (!settings.parallel_feature_evaluation && !settings.parallel_constraint_evaluation) ||
          evaluation::is_concurrent,
      "Parallel evaluation needs `using evaluation = fettle::tbb_evaluation;` in the "
      "policy and #include <fettle/variant/parallel_evaluation.hpp>.");
  static_assert(
      !requires { requires !evaluation::is_linked; },
      "tbb_evaluation needs oneTBB, which fettle::fettle does not link: link the target "
      "fettle::tbb, after find_package(fettle COMPONENTS tbb).");
  static_assert(
      settings.on_infinite_metric != infinite_metric::next_best ||
          (std::is_floating_point_v<typename Shape::result> &&
           settings.metric == metric_source::returned),
      "on_infinite_metric = next_best needs calls that return the metric, a "
      "floating-point number: not metric = elapsed, nor a signature with another result.");
  return true;
}

}  // namespace fettle::detail
