// Tuning policies: the compile-time constants that the tuning script writes for one function
// (fettle::tuning_policies::<name> in fettle_config.hpp), and fettle::policy<"name"> for a program
// that has no generated header.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/measure/clock_like.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/evaluation/serial_evaluation.hpp>

namespace fettle::inline FETTLE_ABI {

/// What runs when the constraint of the selected variant fails (dissertation 2.1.2.3).
enum class constraint_failure {
  use_default,  ///< the default variant
  next_best,    ///< the best-ranked variant whose constraints hold; the default if there is none
};

/// What a call does whose variant comes to an infinite metric, as a solver does that does not
/// converge (measure/metric.hpp).
enum class infinite_metric {
  returned,   ///< returns it
  next_best,  ///< resets the inputs and runs the next best variant, until one has a finite metric
};

/// What an input outside the region that the model was trained on gets.
enum class outside_region {
  use_default,  ///< the default variant: the model knows nothing of such inputs
  predict,      ///< the model's choice all the same
};

/// What a variant that returns a double is judged by.
enum class metric_source {
  returned,  ///< the value that it returns: seconds, joules, an error, ...
  elapsed,   ///< the wall-clock time of the call
};

/// What a call does with a variant that monitored calls have found to cost more than its model
/// expects, besides telling the warning handler.
enum class unexpected_cost {
  report,       ///< runs it all the same
  next_best,    ///< runs the next best variant in its place
  use_default,  ///< runs the default variant in its place
};

/// A tuning policy is a type with a name; every other constant is optional and defaults as in
/// policy_settings.
template <typename Policy>
concept tuning_policy = requires {
  { Policy::name } -> std::convertible_to<std::string_view>;
};

/// All constants of a policy, as values.
struct policy_settings {
  std::string_view name;
  std::size_t variant_count = 0;  ///< 0: not stated; otherwise checked at the first call
  bool constraints = true;
  bool parallel_feature_evaluation = false;
  bool parallel_constraint_evaluation = false;
  bool async_feature_eval = false;
  constraint_failure on_constraint_failure = constraint_failure::use_default;
  infinite_metric on_infinite_metric = infinite_metric::returned;
  fettle::outside_region outside_region = fettle::outside_region::use_default;
  metric_source metric = metric_source::returned;
  bool larger_is_better = false;
  /// Of several metrics, as fettle::measured has them: names and units, "seconds=s joules=J".
  std::string_view metrics;
  /// Meters that run around variants in training, separated by blanks: "energy memory".
  std::string_view meters;
  /// Which of several trained objectives calls go by; empty: the first one.
  std::string_view objective;
  /// Whether it states `using clock_control = fettle::gpu_clocks;`, for variants at clocks.
  bool tunes_frequency = false;
  /// Calls set the clock that was trained, unless FETTLE_FREQUENCY or the context say otherwise.
  bool sets_clocks = false;
  bool strict = false;  ///< a model that cannot be used is an exception, not a warning
  std::string_view model_directory;
  unsigned monitor = 0;  ///< one call in so many is timed and compared with the model; 0: none
  unexpected_cost on_unexpected = unexpected_cost::report;
  /// One call in so many of those that run an approximate variant runs the exact one too, the first
  /// one among them, and compares; 0: none.
  unsigned check_every = 1000;
};

/// The settings of a policy: its own constants where it states them, the defaults elsewhere.
template <tuning_policy Policy>
constexpr policy_settings settings_of() {
  policy_settings settings;
  settings.name = Policy::name;
  if constexpr (requires { Policy::variant_count; }) settings.variant_count = Policy::variant_count;
  if constexpr (requires { Policy::constraints; }) settings.constraints = Policy::constraints;
  if constexpr (requires { Policy::parallel_feature_evaluation; }) {
    settings.parallel_feature_evaluation = Policy::parallel_feature_evaluation;
  }
  if constexpr (requires { Policy::parallel_constraint_evaluation; }) {
    settings.parallel_constraint_evaluation = Policy::parallel_constraint_evaluation;
  }
  if constexpr (requires { Policy::async_feature_eval; }) {
    settings.async_feature_eval = Policy::async_feature_eval;
  }
  if constexpr (requires { Policy::on_constraint_failure; }) {
    settings.on_constraint_failure = Policy::on_constraint_failure;
  }
  if constexpr (requires { Policy::on_infinite_metric; }) {
    settings.on_infinite_metric = Policy::on_infinite_metric;
  }
  if constexpr (requires { Policy::outside_region; }) {
    settings.outside_region = Policy::outside_region;
  }
  if constexpr (requires { Policy::metric; }) settings.metric = Policy::metric;
  if constexpr (requires { Policy::larger_is_better; }) {
    settings.larger_is_better = Policy::larger_is_better;
  }
  if constexpr (requires { Policy::metrics; }) settings.metrics = Policy::metrics;
  if constexpr (requires { Policy::meters; }) settings.meters = Policy::meters;
  if constexpr (requires { Policy::objective; }) settings.objective = Policy::objective;
  settings.tunes_frequency = requires { typename Policy::clock_control; };
  if constexpr (requires { Policy::sets_clocks; }) settings.sets_clocks = Policy::sets_clocks;
  if constexpr (requires { Policy::strict; }) settings.strict = Policy::strict;
  if constexpr (requires { Policy::model_directory; }) {
    settings.model_directory = Policy::model_directory;
  }
  if constexpr (requires { Policy::monitor; }) settings.monitor = Policy::monitor;
  if constexpr (requires { Policy::on_unexpected; }) settings.on_unexpected = Policy::on_unexpected;
  if constexpr (requires { Policy::check_every; }) settings.check_every = Policy::check_every;
  return settings;
}

namespace detail {

template <typename Policy>
struct stated_evaluation {
  using type = serial_evaluation;
};
template <typename Policy>
  requires requires { typename Policy::evaluation; }
struct stated_evaluation<Policy> {
  using type = typename Policy::evaluation;
};

}  // namespace detail

namespace detail {

template <typename Policy>
struct stated_clock {
  using type = timer;
};
template <typename Policy>
  requires requires { typename Policy::clock; }
struct stated_clock<Policy> {
  static_assert(clock_like<typename Policy::clock>,
                "The clock of a policy starts when it is made, and its seconds() says how long ago "
                "that was: fettle::timer, or fettle::event_clock for what a GPU runs.");
  using type = typename Policy::clock;
};

}  // namespace detail

/// What times the runs of variants in training: fettle::timer, or the policy's clock.
template <tuning_policy Policy>
using clock_of = typename detail::stated_clock<Policy>::type;

/// How the policy evaluates features and constraints: serial_evaluation or tbb_evaluation.
template <tuning_policy Policy>
using evaluation_of = typename detail::stated_evaluation<Policy>::type;

/// The policy of a function without a generated header: all defaults. Its model is looked up in the
/// context's directory, $FETTLE_MODEL_DIR and ./fettle_models.
template <fixed_string Name>
struct policy {
  static_assert(!Name.empty(), "fettle::policy needs the function's name, as in policy<\"spmv\">.");
  static constexpr std::string_view name = Name.view();
};

}  // namespace fettle
