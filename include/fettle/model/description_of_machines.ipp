// Definitions of description_of_machines.hpp.
#pragma once

#include <cstddef>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/description_of_machines.hpp>
#include <fettle/model/expectation.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE expectation read_expectation(line_reader& lines) {
  expectation found;
  found.variant = lines.name("a variant");
  found.deviation = lines.number("the deviation", 1e-9, 1e9);
  found.constant = lines.finite("the constant");
  while (!lines.line_done()) {
    if (found.slopes.size() == maximum_inputs) lines.fail("there are too many slopes");
    found.slopes.push_back(lines.finite("a slope"));
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE void check_machines(const description& model,
                                                const line_reader& lines) {
  const auto is_device = [&](std::size_t feature) {
    return index_of(model.features[feature], model.device) < model.device.size();
  };
  for (const std::string& name : model.device) {
    if (index_of(name, model.features) == model.features.size()) {
      lines.fail("the device feature " + detail::quoted(name) + " is none of the features");
    }
  }
  for (const model_input& input : model.inputs) {
    if (has_divisor(input.kind) && is_device(input.feature) != is_device(input.divisor)) {
      lines.fail("an input reads " + detail::quoted(model.features[input.feature]) + " and " +
                 detail::quoted(model.features[input.divisor]) +
                 ", of which one is a device feature");
    }
  }
  if (!model.device.empty() && !model.refinements.empty()) {
    lines.fail("a model with device features cannot be refined");
  }
  for (const expectation& one : model.expectations) {
    if (index_of(one.variant, model.variants) == model.variants.size()) {
      lines.fail("what is expected of " + detail::quoted(one.variant) +
                 " is of none of the variants");
    }
    if (one.slopes.size() != model.inputs.size()) {
      lines.fail("what is expected of " + detail::quoted(one.variant) + " has " +
                 number_text(one.slopes.size()) + " slopes, the model has " +
                 number_text(model.inputs.size()) + " inputs");
    }
  }
}

}  // namespace fettle::model::detail
