// What a tuned function calls: its variants, and the points of variants with parameters. The tables
// run parallel to the registry's names.
#pragma once

#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/parameters/parameter_points.hpp>
#include <fettle/variant/registration/clock_control.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

struct variant_tables {
  std::vector<any_call> variants;
  std::vector<bool> returns_metric;
  std::vector<std::vector<any_call>> constraints;
  std::vector<point_maker> points;  ///< of the registered ones; empty: no parameters
  clock_setter* clocks = nullptr;   ///< of variants at clocks, if there are any
  std::vector<unsigned> clock_of;   ///< MHz of each variant then; 0: as before

  variant_tables();
  ~variant_tables();
  variant_tables(const variant_tables&) = delete;
  variant_tables& operator=(const variant_tables&) = delete;

  void add(any_call variant, bool metric, point_maker points_of_it);

  /// Makes variants of the points that the registry has come to know, with all that holds for them.
  void add_points(const registry& names);

  /// Makes all variants wish for a clock, the registered ones for what was set before. Throws
  /// fettle::error where clocks cannot be set.
  void add_clocks(const registry& names);

  /// Whether all variants return their metric.
  [[nodiscard]] bool all_return_metric() const;
  /// Whether none does: then the clock measures them.
  [[nodiscard]] bool none_returns_metric() const;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/variant_tables.ipp>
#endif
