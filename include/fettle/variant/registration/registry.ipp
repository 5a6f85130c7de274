// Definitions of registry.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>
#include <fettle/variant/registration/clock_control.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "none" : text;
}

[[gnu::cold]] FETTLE_INLINE void registry::add_variant(std::string name, const void* object,
                                                       parameter_space space) {
  check_name("variant", name, variants, model::maximum_classes);
  for (const family& other : families) {
    if (other.name == name) complain("two variants named " + name);
  }
  const std::string values = space.text_of(space.defaults());
  variants.push_back(values.empty() ? name : name + " " + values);
  families.push_back({std::move(name), std::move(space), {}, false});
  objects.push_back(object);
}

[[gnu::cold]] FETTLE_INLINE std::optional<registry::point> registry::parse_point(
    std::string_view text) const {
  if (const auto clocked = parse_clocked(text); clocked && settings.tunes_frequency) {
    for (std::size_t k = 0; k < families.size(); ++k) {
      if (families[k].name != clocked->first) continue;
      return point{k, families[k].space.defaults(), clocked->second};
    }
  }
  for (std::size_t k = 0; k < families.size(); ++k) {
    const family& one = families[k];
    if (one.space.empty() || !text.starts_with(one.name + " ")) continue;
    if (auto values = one.space.parse(text.substr(one.name.size() + 1))) {
      return point{k, *std::move(values), 0};
    }
  }
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE std::string registry::how_points_are_written(
    std::string_view text) const {
  for (const family& one : families) {
    if (one.space.empty() || !text.starts_with(one.name + " ")) continue;
    std::string all;
    for (const parameter& given : one.space.all()) {
      all += (all.empty() ? "" : "; ") + given.name + ":";
      for (const std::int64_t value : given.values) all += " " + number_text(value);
    }
    return "; points of " + one.name + " are written as '" + one.name + " " +
           one.space.text_of(one.space.defaults()) + "', with values that its constraints allow (" +
           all + ")";
  }
  return "";
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> registry::find_or_add_point(
    std::string_view text) {
  const auto found = std::find(variants.begin(), variants.end(), text);
  if (found != variants.end()) return static_cast<std::size_t>(found - variants.begin());
  for (std::size_t k = 0; k < families.size(); ++k) {
    if (families[k].name == text) return k;
  }
  std::optional<point> chosen = parse_point(text);
  if (!chosen || variants.size() == model::maximum_classes) return std::nullopt;
  variants.emplace_back(text);
  points.push_back(*std::move(chosen));
  return variants.size() - 1;
}

[[gnu::cold]] FETTLE_INLINE void registry::set_bound(double largest, bool is_comparable) {
  if (!is_finite(largest) || largest < 0) {
    complain("set_quality is given the bound " + number_text(largest) +
             "; a bound is a finite number, 0 or more");
  }
  if (!is_comparable) {
    complain(
        "set_quality is given the bound 0, which asks for outputs that are equal bit by bit, but "
        "copies of this type cannot be compared so; let the capture function return a number, a "
        "std::vector of numbers or a type with ==");
  }
  bound = largest;
}

[[gnu::cold]] FETTLE_INLINE void registry::add_feature(std::string name) {
  check_name("feature", name, features, maximum_features);
  features.push_back(std::move(name));
}

[[gnu::cold]] FETTLE_INLINE std::size_t registry::find_variant(std::string_view name,
                                                               std::string_view what) const {
  for (std::size_t k = 0; k < families.size(); ++k) {
    if (families[k].name == name) return k;
  }
  complain(std::string(what) + " names " + std::string(name) + ", which is none of the variants " +
           joined(names()) + "; add_variant it first");
}

[[gnu::cold]] FETTLE_INLINE std::size_t registry::find_variant(const void* object,
                                                               std::string_view what) const {
  const auto found = std::find(objects.begin(), objects.end(), object);
  if (found != objects.end()) return static_cast<std::size_t>(found - objects.begin());
  complain(std::string(what) +
           " is given an object that is none of the variants; add_variant it first");
}

[[gnu::cold]] FETTLE_INLINE void registry::check_complete() {
  if (families.empty()) complain("no variants; call add_variant first");
  if (!has_set_default) {
    while (default_index < families.size() && families[default_index].is_approximate) {
      ++default_index;
    }
    if (default_index == families.size()) {
      complain("all variants are approximate (" + joined(names()) +
               "); add an exact one, against whose results errors are measured");
    }
  } else if (families[default_index].is_approximate) {
    complain("the default variant " + families[default_index].name +
             " is approximate; make an exact one the default: it runs where no error is known");
  }
  if (settings.variant_count == 0 || settings.variant_count == families.size()) return;
  complain("the tuning script states " + number_text(settings.variant_count) +
           " variants, the program has " + number_text(families.size()) + ": " + joined(names()));
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::string> registry::names() const {
  std::vector<std::string> all;
  for (const family& one : families) all.push_back(one.name);
  return all;
}

[[gnu::cold]] FETTLE_INLINE void registry::check_name(std::string_view what,
                                                      const std::string& name,
                                                      const std::vector<std::string>& taken,
                                                      std::size_t most) const {
  if (name.empty()) complain("a " + std::string(what) + " with an empty name");
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    complain("two " + std::string(what) + "s named " + name);
  }
  if (taken.size() == most) {
    complain("more than " + number_text(most) + " " + std::string(what) + "s");
  }
}

}  // namespace fettle::detail
