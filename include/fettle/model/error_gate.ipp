// Definitions of error_gate.hpp.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/error_gate.hpp>

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE error_gate::error_gate(const loaded_model& model,
                                                   const std::vector<bool>& approximate)
    : classes_(model.variants.size()), stage_(model.errors.inputs, 0.0) {
  for (std::size_t c = 0; c < approximate.size(); ++c) classes_[c].checked = approximate[c];
  for (const std::string& name : model.errors.approximate) {
    classes_[detail::index_of(name, model.variants)].checked = true;
  }
  for (const admission& one : model.errors.admissions) {
    known_class& its = classes_[detail::index_of(one.variant, model.variants)];
    its.admitted = true;
    its.constant = one.constant;
    its.slopes = one.slopes;
  }
}

FETTLE_INLINE error_gate::known_input error_gate::known(
    std::span<const double> features) const noexcept {
  known_input input;
  input.inside = stage_.scaled(features.data(), input.scaled.data());
  return input;
}

FETTLE_INLINE double error_gate::limit(std::size_t c, const known_input& input) const noexcept {
  const known_class& its = classes_[c];
  if (!its.checked) return -std::numeric_limits<double>::infinity();
  if (!its.admitted || !input.inside) return std::numeric_limits<double>::infinity();
  double sum = its.constant;
  for (std::size_t i = 0; i < its.slopes.size(); ++i) sum += its.slopes[i] * input.scaled[i];
  return sum;
}

}  // namespace fettle::model
