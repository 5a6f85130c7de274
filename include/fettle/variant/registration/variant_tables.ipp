// Definitions of variant_tables.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE variant_tables::variant_tables() = default;
[[gnu::cold]] FETTLE_INLINE variant_tables::~variant_tables() = default;

[[gnu::cold]] FETTLE_INLINE void variant_tables::add(any_call variant, bool metric,
                                                     point_maker points_of_it) {
  variants.push_back(std::move(variant));
  returns_metric.push_back(metric);
  constraints.emplace_back();
  points.push_back(std::move(points_of_it));
}

[[gnu::cold]] FETTLE_INLINE void variant_tables::add_points(const registry& names) {
  for (std::size_t k = variants.size(); k < names.variants.size(); ++k) {
    const registry::point& chosen = names.points[k - names.families.size()];
    variants.push_back(chosen.clock_mhz == 0 ? points[chosen.family](chosen.values)
                                             : variants[chosen.family]);
    returns_metric.push_back(returns_metric[chosen.family]);
    constraints.push_back(constraints[chosen.family]);
  }
  const auto is_clocked = [](const registry::point& one) { return one.clock_mhz != 0; };
  if (std::any_of(names.points.begin(), names.points.end(), is_clocked)) add_clocks(names);
}

[[gnu::cold]] FETTLE_INLINE void variant_tables::add_clocks(const registry& names) {
  std::string problem;
  const clock_functions* const control = names.clock_control;
  clocks = control == nullptr ? nullptr : control->of_process(problem);
  if (clocks == nullptr) throw error(problem);
  clock_of.assign(variants.size(), 0);
  for (std::size_t k = 0; k < variants.size(); ++k) {
    if (k >= names.families.size()) clock_of[k] = names.points[k - names.families.size()].clock_mhz;
    variants[k] = control->at_clock(std::move(variants[k]), *clocks, clock_of[k]);
  }
}

[[gnu::cold]] FETTLE_INLINE bool variant_tables::all_return_metric() const {
  for (const bool its : returns_metric) {
    if (!its) return false;
  }
  return true;
}

[[gnu::cold]] FETTLE_INLINE bool variant_tables::none_returns_metric() const {
  for (const bool its : returns_metric) {
    if (its) return false;
  }
  return true;
}

}  // namespace fettle::detail
