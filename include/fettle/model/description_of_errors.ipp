// Definitions of description_of_errors.hpp.
#pragma once

#include <cstdint>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/description_of_errors.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE admission read_admission(line_reader& lines) {
  admission found;
  found.variant = lines.name("a variant");
  found.constant = lines.finite("the constant");
  while (!lines.line_done()) {
    if (found.slopes.size() == maximum_inputs) lines.fail("there are too many slopes");
    found.slopes.push_back(lines.finite("a slope"));
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE void check_errors(const description& model, const line_reader& lines) {
  const error_model& errors = model.errors;
  for (const std::string& name : errors.approximate) {
    if (index_of(name, model.variants) == model.variants.size()) {
      lines.fail("the approximate " + detail::quoted(name) + " is none of the variants");
    }
    if (name == model.default_variant) {
      lines.fail("the default " + detail::quoted(name) + " is approximate");
    }
  }
  for (const admission& one : errors.admissions) {
    if (index_of(one.variant, errors.approximate) == errors.approximate.size()) {
      lines.fail("what admits " + detail::quoted(one.variant) +
                 " is of none of the approximate variants");
    }
    if (one.slopes.size() != errors.inputs.size()) {
      lines.fail("what admits " + detail::quoted(one.variant) + " has " +
                 number_text(one.slopes.size()) + " slopes, the error model has " +
                 number_text(errors.inputs.size()) + " inputs");
    }
  }
  const auto is_device = [&](std::uint16_t feature) {
    return index_of(model.features[feature], model.device) < model.device.size();
  };
  for (const model_input& input : errors.inputs) {
    if (is_device(input.feature) || (has_divisor(input.kind) && is_device(input.divisor))) {
      lines.fail("an input of the error model reads " +
                 detail::quoted(model.features[input.feature]) +
                 ", a device feature: the error of a variant is that of its input on all machines");
    }
  }
}

}  // namespace fettle::model::detail
