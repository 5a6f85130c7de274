// The features of one call in training: their values, what evaluating each takes, and why one has
// no value.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/training/trainee.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// By number of the feature.
struct evaluated_features {
  std::vector<double> values;         ///< NaN where a feature has no value
  std::vector<double> nanoseconds;    ///< of one evaluation, a median
  std::vector<std::string> problems;  ///< why a feature has no value; empty where it has

  bool complete() const;
};

/// Evaluates each feature often enough to time it. What a feature throws is its problem.
evaluated_features evaluate_features(const trainee& function);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/evaluated_features.ipp>
#endif
