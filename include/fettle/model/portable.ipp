// Definitions of portable.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/expectation.hpp>
#include <fettle/model/input_stage.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/portable.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/model/specialised_text.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The values of the inputs that read device features only.
[[gnu::cold]] FETTLE_INLINE fixed_inputs inputs_of_machine(const description& model,
                                                           const std::vector<double>& here) {
  std::vector<double> values(model.features.size(), 1.0);
  for (std::size_t j = 0; j < model.device.size(); ++j) {
    values[index_of(model.device[j], model.features)] = here[j];
  }
  const input_stage stage(model.inputs, model.guard);
  fixed_inputs fixed(model.inputs.size());
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const model_input& input = model.inputs[i];
    const std::string& name = model.features[input.feature];
    if (index_of(name, model.device) == model.device.size()) continue;
    const double value = values[input.feature];
    const bool has_value =
        is_finite(value) && (has_logarithm(value) ||
                             (input.kind != transform::log && input.kind != transform::log_ratio));
    const double t = stage.transformed_alone(i, values.data());
    const guard_bounds bounds = bounds_of(input, model.guard);
    if (!has_value || t < bounds.low || t > bounds.high) {
      throw error("this machine is unlike those that the model was made of: its " + name + " is " +
                  number_text(value) + "; make a model with a machine like it, or tune here");
    }
    fixed[i] = t;
  }
  return fixed;
}

/// What is expected of each variant, of the inputs that stay.
[[gnu::cold]] FETTLE_INLINE void specialise_expectations(description& model,
                                                         const fixed_inputs& fixed) {
  for (expectation& one : model.expectations) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      const model_input& input = model.inputs[i];
      const double range = input.high - input.low;
      if (!fixed[i]) {
        slopes.push_back(one.slopes[i]);
      } else if (range > 0) {
        one.constant += one.slopes[i] * (2 * (*fixed[i] - input.low) / range - 1);
      }
    }
    one.slopes = std::move(slopes);
  }
}

[[gnu::cold]] FETTLE_INLINE void specialise(description& model, const std::string& file,
                                            std::string& predictor_text,
                                            const std::vector<double>& here) {
  const fixed_inputs fixed = inputs_of_machine(model, here);
  const known_classifier& kind = *find_classifier(model.classifier);
  static_cast<void>(kind.read({file, predictor_text, model.classifier, model.inputs, model.guard,
                               model.variants.size()}));  // refuses what is damaged
  predictor_text = kind.file_ending == ".svm"
                       ? specialised_svm(file, predictor_text, fixed, model.inputs)
                       : specialised_trees(file, predictor_text, fixed);
  specialise_expectations(model, fixed);
  std::vector<std::string> features;
  std::vector<std::uint16_t> number(model.features.size(), 0);
  for (std::size_t j = 0; j < model.features.size(); ++j) {
    number[j] = static_cast<std::uint16_t>(features.size());
    const bool is_device = index_of(model.features[j], model.device) < model.device.size();
    if (!is_device) features.push_back(model.features[j]);
  }
  const auto renumbered = [&](model_input input) {
    input.feature = number[input.feature];
    input.divisor = has_divisor(input.kind) ? number[input.divisor] : std::uint16_t{0};
    return input;
  };
  std::vector<model_input> inputs;
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (!fixed[i]) inputs.push_back(renumbered(model.inputs[i]));
  }
  for (model_input& input : model.errors.inputs) input = renumbered(input);  // of the call alone
  model.features = std::move(features);
  model.inputs = std::move(inputs);
  model.device.clear();
}

}  // namespace fettle::model::detail
