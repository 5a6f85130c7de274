// What a model expects a variant to cost: by that a running program notices that it has changed.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// The natural logarithm of a variant's metric is expected to be `constant` plus the sum of
/// `slopes` times the model's inputs, each scaled so that its training range is [-1, 1]. One line
/// `expect csr 0.2 -7.1 0.9 0` of model.txt.
struct expectation {
  std::string variant;
  double deviation = 0;  ///< standard deviation of the logarithm around that, above 0
  double constant = 0;
  std::vector<double> slopes;  ///< one an input of the model

  friend bool operator==(const expectation&, const expectation&) = default;
};

}  // namespace fettle::model
