// What one tuned function has registered: names, and callables that run parallel to them, each
// checked for its kind. code_variant says in which forms users give them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/call/misuse.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/parameters/parameter_points.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/registration/version.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// `Shape` is the function_shape of Args; with NeedsMetric every variant has to return its metric.
/// All members throw fettle::error as the registry does.
template <typename Shape, bool NeedsMetric, typename... Args>
struct registration {
  using result = typename Shape::result;
  using tables = variant_tables<result, Args...>;

  registry names;
  tables callables;
  std::vector<erased_feature<Args...>> features;

  // ---- Variants: a callable, one at points of its parameters, an object that stays the user's ---

  template <typename Variant>
  void add_variant(std::string_view name, Variant&& variant) {
    using callable = std::decay_t<Variant>;
    check_variant<Shape, callable, Args...>();
    check_metric<NeedsMetric, returns_number<callable, Args...>>();
    add(std::string(name), call::template owning<adapter>(std::forward<Variant>(variant)),
        returns_number<callable, Args...>, nullptr);
  }

  template <typename Variant, typename... Entries>
  void add_points(std::string_view name, Variant&& variant, const Entries&... entries) {
    using at_point = checked_point<Shape, Variant, argument_list<Args...>, Entries...>;
    check_metric<NeedsMetric, at_point::returns_number>();
    auto space = names.space_of(name, entries...);
    auto points = at_point::template maker<adapter, result>(std::forward<Variant>(variant), space);
    auto at_defaults = points(space.defaults());
    add(std::string(name), std::move(at_defaults), at_point::returns_number, nullptr,
        std::move(space), std::move(points));
  }

  /// Any form of variant, with parameters, constraints and a version in any order.
  template <typename Variant, typename... Options>
  void add_with_options(std::string_view name, Variant&& variant, const Options&... options) {
    static_assert((0 + ... + int{std::is_same_v<Options, version>}) <= 1,
                  "A variant has one fettle::version.");
    const auto add_it = [&](const auto&... entries) {
      if constexpr (sizeof...(entries) > 0) {
        add_points(name, std::forward<Variant>(variant), entries...);
      } else if constexpr (object_pointer<std::decay_t<Variant>>) {
        add_object(name, variant);
      } else {
        add_variant(name, std::forward<Variant>(variant));
      }
    };
    std::apply(add_it, std::tuple_cat(parameters_among(options)...));
    (take_version(names.families.back().version, options), ...);
  }

  template <typename Variant>
  void add_object(std::string_view name, Variant* variant) {
    check_variant<Shape, Variant, Args...>();
    check_metric<NeedsMetric, returns_number<Variant, Args...>>();
    add(std::string(name), call::template referring<adapter>(variant),
        returns_number<Variant, Args...>, identity(variant));
  }

  // ---- Features -------------------------------------------------------------------------------

  template <typename Feature>
  void add_feature(std::string_view name, Feature&& feature) {
    check_feature<std::decay_t<Feature>, Args...>();
    add(std::string(name), erased_feature<Args...>::template owning<call_feature<Args...>>(
                               std::forward<Feature>(feature)));
  }
  template <typename Feature>
  void add_feature_object(std::string_view name, Feature* feature) {
    check_feature<Feature, Args...>();
    add(std::string(name),
        erased_feature<Args...>::template referring<call_feature<Args...>>(feature));
  }

  // ---- Constraints of a registered variant ----------------------------------------------------

  template <typename Constraint>
  void add_constraint(std::size_t variant, Constraint&& constraint) {
    check_constraint<std::decay_t<Constraint>, Args...>();
    callables.constraints[variant].push_back(tables::owned(constraint));
  }
  template <typename Constraint>
  void add_constraint_object(std::size_t variant, Constraint* constraint) {
    check_constraint<Constraint, Args...>();
    callables.constraints[variant].push_back(tables::seen(constraint));
  }

 private:
  using adapter = call_variant<result, Args...>;
  using call = erased_variant<result, Args...>;

  void add(std::string name, call variant, bool is_number, const void* object,
           parameter_space space = {}, point_maker<result, Args...> points = {}) {
    names.add_variant(std::move(name), object, std::move(space));
    const bool is_metric = is_number && names.settings.metric == metric_source::returned;
    callables.add(std::move(variant), is_metric, std::move(points));
  }
  void add(std::string name, erased_feature<Args...> feature) {
    names.add_feature(std::move(name));
    features.push_back(std::move(feature));
  }
};

}  // namespace fettle::detail
