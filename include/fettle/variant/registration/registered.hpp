// What one tuned function has registered: names, and callables that run parallel to them.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/parameters/parameter_points.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Members throw fettle::error as the registry does.
struct registered {
  registry names;
  variant_tables callables;
  std::vector<any_call> features;
  std::vector<std::shared_ptr<meter>> meters;  ///< that the program has added
  /// Makes those that the policy names; null where its header does not include them.
  std::vector<std::shared_ptr<meter>> (*named_meters)(std::string_view names) = nullptr;

  /// `is_number`: it returns a floating-point number, its metric where the policy takes it as such.
  void add_variant(std::string_view name, any_call variant, bool is_number, const void* object);
  /// ... at points of its parameters.
  void add_points(std::string_view name, bool is_number, parameter_space space, point_maker points);
  void add_feature(std::string_view name, any_call feature);
  void add_constraint(std::size_t variant, any_call constraint);
  /// All meters, the policy's first. Throws fettle::error for an unknown name.
  [[nodiscard]] std::vector<std::shared_ptr<meter>> all_meters() const;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/registered.ipp>
#endif
