// What a tuned function calls: its variants, and the points of variants with parameters. The tables
// run parallel to the registry's names.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/parameters/parameter_points.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Result, typename... Args>
struct variant_tables {
  using call = erased_variant<Result, Args...>;
  using constraint = erased_constraint<Args...>;

  std::vector<call> variants;
  std::vector<bool> returns_metric;
  std::vector<std::vector<constraint>> constraints;
  std::vector<point_maker<Result, Args...>>
      points;  ///< of the registered ones; empty: no parameters

  void add(call variant, bool metric, point_maker<Result, Args...> points_of_it) {
    variants.push_back(std::move(variant));
    returns_metric.push_back(metric);
    constraints.emplace_back();
    points.push_back(std::move(points_of_it));
  }

  /// Makes variants of the points that the registry has come to know, with all that holds for them.
  void add_points(const registry& names) {
    for (std::size_t k = variants.size(); k < names.variants.size(); ++k) {
      const registry::point& chosen = names.points[k - names.families.size()];
      variants.push_back(points[chosen.family](chosen.values));
      returns_metric.push_back(returns_metric[chosen.family]);
      constraints.push_back(constraints[chosen.family]);
    }
  }

  template <typename Constraint>
  static constraint owned(Constraint& condition) {
    return constraint::template owning<call_constraint<Args...>>(condition);
  }
  template <typename Constraint>
  static constraint seen(Constraint* condition) {
    return constraint::template referring<call_constraint<Args...>>(condition);
  }
};

}  // namespace fettle::detail
