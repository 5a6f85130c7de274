// Definitions of registered.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registered.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void registered::add_variant(std::string_view name, any_call variant,
                                                         bool is_number, const void* object) {
  names.add_variant(std::string(name), object);
  callables.add(std::move(variant), is_number && names.settings.metric == metric_source::returned,
                {});
}

[[gnu::cold]] FETTLE_INLINE void registered::add_points(std::string_view name, bool is_number,
                                                        parameter_space space, point_maker points) {
  any_call at_defaults = points(space.defaults());
  names.add_variant(std::string(name), nullptr, std::move(space));
  callables.add(std::move(at_defaults),
                is_number && names.settings.metric == metric_source::returned, std::move(points));
}

[[gnu::cold]] FETTLE_INLINE void registered::add_feature(std::string_view name, any_call feature) {
  names.add_feature(std::string(name));
  features.push_back(std::move(feature));
}

[[gnu::cold]] FETTLE_INLINE void registered::add_constraint(std::size_t variant,
                                                            any_call constraint) {
  callables.constraints[variant].push_back(std::move(constraint));
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::shared_ptr<meter>> registered::all_meters() const {
  std::vector<std::shared_ptr<meter>> all;
  if (!names.settings.meters.empty()) {
    if (named_meters == nullptr) {
      names.complain(
          "its policy names meters, but has no `using metering = "
          "fettle::standard_meters;` of <fettle/variant/meters.hpp>");
    }
    all = named_meters(names.settings.meters);
  }
  all.insert(all.end(), meters.begin(), meters.end());
  return all;
}

}  // namespace fettle::detail
