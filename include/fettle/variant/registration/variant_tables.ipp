// Definitions of variant_tables.hpp.
#pragma once

#include <cstddef>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

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
    variants.push_back(points[chosen.family](chosen.values));
    returns_metric.push_back(returns_metric[chosen.family]);
    constraints.push_back(constraints[chosen.family]);
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
