// loaded_model: all that a model directory or an embedded model says, ready to select by.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/described_parameters.hpp>
#include <fettle/model/error_model.hpp>
#include <fettle/model/expectation.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// `variants` and `features` are those that the tuner knew, in the order that decisions and feature
/// values have. Immutable after loading; sharing it between threads is safe.
struct loaded_model {
  std::string function;
  std::string classifier;  ///< "svm", "tree" or "forest"
  std::vector<std::string> variants;
  std::vector<std::string> features;
  std::string default_variant;
  std::vector<bool> used_features;  ///< a feature: does any model input need it?
  std::vector<model_input> inputs;
  std::vector<std::pair<std::string, std::string>> provenance;  ///< in the file's order
  model::predictor predictor;
  std::vector<described_parameters> parameters{};
  /// For each variant the model that chooses among its points; null where there is none, and empty
  /// where there is none at all. Their features are this model's, in the same order.
  std::vector<std::shared_ptr<const loaded_model>> refinements{};
  std::vector<expectation> expectations{};  ///< of variants, in any order; may be none
  error_model errors{};
};

/// The model that a generated header embeds in the program; defined in embedded_model.hpp, which
/// that header includes.
template <typename Embedded>
[[nodiscard]] loaded_model from_embedded();

}  // namespace fettle::model
