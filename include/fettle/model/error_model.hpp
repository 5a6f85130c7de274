// What a model says of approximate variants: which they are, and on which inputs the error of each
// is predicted to keep the bound that they were trained for (docs/formats.md, section 3).
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// Where a variant may run: `constant` plus the sum of `slopes` times the error model's inputs,
/// each scaled so that its training range is [-1, 1], is at most 0. It is the logarithm of the
/// variant's error / bound, with a margin that keeps the bound on as many inputs as was asked for.
struct admission {
  std::string variant;
  double constant = 0;
  std::vector<double> slopes;  ///< one an input of the error model

  friend bool operator==(const admission&, const admission&) = default;
};

/// Lines `approximate`, `bound`, `error_input` and `admit` of model.txt. Without any, no variant is
/// approximate.
struct error_model {
  std::vector<std::string> approximate;  ///< those without an admission never run
  double bound = 0;                      ///< that the variants were trained for
  std::vector<model_input> inputs;
  std::vector<admission> admissions;

  [[nodiscard]] bool empty() const noexcept { return approximate.empty(); }

  friend bool operator==(const error_model&, const error_model&) = default;
};

}  // namespace fettle::model
