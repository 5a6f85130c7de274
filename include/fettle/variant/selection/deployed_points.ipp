// Definitions of deployed_points.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/deployed_points.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void append_described(std::string& text, const std::string& name,
                                                  const std::vector<std::int64_t>& values) {
  if (!text.empty()) text += ' ';
  text += name;
  char separator = '=';
  for (const std::int64_t value : values) {
    text += separator;
    append_number(text, value);
    separator = ',';
  }
}

[[gnu::cold]] FETTLE_INLINE std::string described(const parameter_space& space) {
  std::string text;
  for (const parameter& one : space.all()) append_described(text, one.name, one.values);
  return text;
}

[[gnu::cold]] FETTLE_INLINE std::string described(const model::described_parameters& known) {
  std::string text;
  for (const auto& [name, values] : known.parameters) append_described(text, name, values);
  return text;
}

[[gnu::cold]] FETTLE_INLINE void check_parameters(const model::loaded_model& model,
                                                  const registry& function) {
  for (const model::described_parameters& known : model.parameters) {
    for (const registry::family& one : function.families) {
      if (one.name != known.variant || described(one.space) == described(known)) continue;
      throw error("the model was trained for other parameters of " + one.name + " (" +
                  described(known) + ") than the program's (" + described(one.space) +
                  "); run the tuning script again");
    }
  }
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::size_t> match_variants(
    const std::vector<std::string>& classes, registry& function, chosen_among which) {
  std::vector<std::size_t> indices;
  std::vector<bool> seen(function.families.size(), false);
  std::size_t families = 0;
  for (const std::string& name : classes) {
    const auto found = function.find_or_add_point(name);
    if (!found) break;
    indices.push_back(*found);
    const std::size_t family = function.family_of(*found);
    if (!seen[family]) ++families;
    seen[family] = true;
  }
  const bool is_complete = families == seen.size() || which == chosen_among::some_variants;
  if (indices.size() != classes.size() || !is_complete) {
    throw error("the model was trained for other variants (" + joined(classes) +
                ") than the program's (" + joined(function.names()) +
                "); run the tuning script again");
  }
  return indices;
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::size_t> match_points(
    const model::loaded_model& refining, std::size_t variant, registry& function) {
  const std::size_t family = function.family_of(variant);
  std::vector<std::size_t> indices;
  for (const std::string& name : refining.variants) {
    const auto found = function.find_or_add_point(name);
    if (!found || function.family_of(*found) != family) {
      throw error("the model was trained for " + name + ", which is not a point of the variant " +
                  function.families[family].name + " in this program; run the tuning script again");
    }
    indices.push_back(*found);
  }
  return indices;
}

}  // namespace fettle::detail
