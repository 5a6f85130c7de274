// What training asks of a function in training: its variants, features and constraints, each to be
// run, evaluated and checked by number (code_variant hands it over; training.hpp drives it).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/meter.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// One run (or `repeat` runs in a row) of a variant.
struct training_run {
  double metric = 0.0;              ///< of one run
  double seconds = 0.0;             ///< wall clock of one run, without resetting the inputs
  std::vector<double> others = {};  ///< the further metrics of a function that has several
};

/// The last run's output beside the default's.
struct output_comparison {
  bool agrees = true;
  std::optional<bool> same_bits;  ///< empty where they cannot be compared
  std::optional<double> error;    ///< of an approximate variant
};

/// The runs of one batch that have been measured.
struct measured_runs {
  std::vector<double> metrics;
  std::vector<std::vector<double>> others;  ///< each further metric, as many values as metrics
  std::optional<double> lost_s;  ///< what the last one took that came to an infinite metric
  output_comparison output;      ///< of a variant's first run
};

/// What training asks of the function in training. All may throw what the user's code throws.
struct trainee {
  std::span<const std::string> variants;
  std::span<const std::string> features;
  std::size_t default_index = 0;
  bool larger_is_better = false;
  std::string_view metrics;  ///< as the policy declares them; empty: there is one
  bool timed = true;         ///< false: variants return their metric
  bool may_repeat = false;   ///< a sample may be of several runs
  std::string policy;        ///< the compiled options, as policy_json() says
  std::string parameters;    ///< of the variants, as parameters_json() says; empty: they have none
  std::string versions;      ///< likewise, as versions_json() says
  std::string quality;       ///< likewise, as quality_json() says; empty: none is approximate
  std::string misuse;        ///< why training is impossible; empty where it is possible
  std::function<double(std::size_t feature)> evaluate;
  std::function<std::string(std::size_t variant)> why_not;  ///< may run: empty where it may
  std::function<bool(std::size_t variant)> constraints_hold;
  std::function<training_run(std::size_t variant, std::size_t repeat)> run;
  /// The number by which a point of a variant's parameters is run; throws where there is none such.
  std::function<std::size_t(const std::string& point)> at_point;
  /// What the meters say of a variant, a reading a metric of `metered`; empty: there are none.
  std::function<std::vector<meter_reading>(std::size_t variant)> meter;
  std::vector<std::string> metered;
  std::function<void()> keep_reference;  ///< the default's output, after its run; may be empty
  std::function<output_comparison(std::size_t variant)>
      compared;  ///< of the last run; may be empty
};

}  // namespace fettle::detail
