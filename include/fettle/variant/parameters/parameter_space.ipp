// Definitions of parameter_space.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/parameters/parameter.hpp>
#include <fettle/variant/parameters/parameter_expression.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string parameter_space::text_of(
    std::span<const std::int64_t> values) const {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ' ';
    text += parameters_[i].name;
    text += '=';
    append_number(text, values[i]);
  }
  return text;
}

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> parameter_space::parse(
    std::string_view text) const {
  parameter_values values;
  for (const parameter& one : parameters_) {
    const std::string begin = (values.empty() ? "" : " ") + one.name + "=";
    if (!text.starts_with(begin)) return std::nullopt;
    text.remove_prefix(begin.size());
    const std::string_view number = text.substr(0, text.find(' '));
    const std::optional<std::int64_t> value = parse_number<std::int64_t>(number);
    if (!value || number_text(*value) != number || !has(one, *value)) return std::nullopt;
    values.push_back(*value);
    text.remove_prefix(number.size());
  }
  if (!text.empty() || violated(values) != nullptr) return std::nullopt;
  return values;
}

[[gnu::cold]] FETTLE_INLINE const expression* parameter_space::violated(
    std::span<const std::int64_t> values) const {
  for (const auto& [condition, indices] : constraints_) {
    parameter_values of_names;
    for (const std::size_t index : indices) of_names.push_back(values[index]);
    if (!condition.holds(of_names)) return &condition;
  }
  return nullptr;
}

[[gnu::cold]] FETTLE_INLINE void parameter_space::add(const parameter& one) {
  if (!is_parameter_name(one.name)) {
    throw error("the parameter '" + one.name +
                "' needs a name of letters, digits and underscores that begins with no digit");
  }
  if (index_of(one.name) < parameters_.size()) {
    throw error("the parameter " + one.name + " is given twice");
  }
  if (one.values.empty()) throw error("the parameter " + one.name + " has no values to try");
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    const auto rest = one.values.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::find(rest, one.values.end(), one.values[i]) != one.values.end()) {
      throw error("the parameter " + one.name + " has the value " + number_text(one.values[i]) +
                  " twice");
    }
  }
  if (!has(one, one.default_value)) {
    throw error("the default " + number_text(one.default_value) + " of the parameter " + one.name +
                " is none of its values");
  }
  names_->push_back(one.name);
  defaults_.push_back(one.default_value);
  parameters_.push_back(one);
}

[[gnu::cold]] FETTLE_INLINE void parameter_space::read(const constraint& given) {
  expression condition(given.expression);
  std::vector<std::size_t> indices;
  for (const std::string& name : condition.names()) {
    const std::size_t index = index_of(name);
    if (index == parameters_.size()) {
      std::string known;
      for (const std::string& one : *names_) known += (known.empty() ? "" : " ") + one;
      throw error("the constraint '" + given.expression + "' names " + name +
                  ", which is none of the parameters " + (known.empty() ? "(none)" : known));
    }
    indices.push_back(index);
  }
  constraints_.emplace_back(std::move(condition), std::move(indices));
}

[[gnu::cold]] FETTLE_INLINE bool parameter_space::allows_none() const {
  constexpr std::size_t most = 100'000;
  std::size_t points = 1;
  for (const parameter& one : parameters_) {
    points *= one.values.size();
    if (points > most) return false;
  }
  for (std::size_t point = 0; point < points; ++point) {
    parameter_values values;
    std::size_t rest = point;
    for (const parameter& one : parameters_) {
      values.push_back(one.values[rest % one.values.size()]);
      rest /= one.values.size();
    }
    if (violated(values) == nullptr) return false;
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE std::size_t parameter_space::index_of(std::string_view name) const {
  const auto found = std::find(names_->begin(), names_->end(), name);
  return static_cast<std::size_t>(found - names_->begin());
}

}  // namespace fettle::detail
