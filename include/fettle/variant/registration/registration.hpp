// How one tuned function registers: each callable is checked for its kind, and its type erased.
// code_variant says in which forms users give them.
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
#include <fettle/variant/registration/approximate.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/version.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// `Shape` is the function_shape of Args; with NeedsMetric every variant has to return its metric.
/// All members throw fettle::error as the registry does.
template <typename Shape, bool NeedsMetric, typename... Args>
struct registration {
  using result = typename Shape::result;

  registered& into;

  // ---- Variants: a callable, one at points of its parameters, an object that stays the user's ---

  template <typename Variant>
  void add_variant(std::string_view name, Variant&& variant) {
    using callable = std::decay_t<Variant>;
    if constexpr (is_variant<callable>()) {
      into.add_variant(name, call::template owning<adapter>(std::forward<Variant>(variant)),
                       returns_number<callable, Args...>, nullptr);
    }
  }

  template <typename Variant, typename... Entries>
  void add_points(std::string_view name, Variant&& variant, const Entries&... entries) {
    using at_points = points_of<std::decay_t<Variant>, argument_list<Args...>, Entries...>;
    if constexpr (at_points::check()) {
      using at_point = typename at_points::at_point;
      if constexpr (is_variant<at_point>()) {
        auto space = into.names.space_of(name, entries...);
        auto points =
            at_points::template maker<adapter, result>(std::forward<Variant>(variant), space);
        into.add_points(name, returns_number<at_point, Args...>, std::move(space),
                        std::move(points));
      }
    }
  }

  /// Any form of variant, with parameters, constraints, a version and whether it is approximate, in
  /// any order.
  template <typename Variant, typename... Options>
  void add_with_options(std::string_view name, Variant&& variant, const Options&... options) {
    static_assert((0 + ... + int{std::is_same_v<Options, version>}) <= 1,
                  "A variant has one fettle::version.");
    constexpr bool is_approximate = (false || ... || is_approximation_v<Options>);
    static_assert(!is_approximate || !(false || ... || parameter_or_constraint<Options>),
                  "An approximate variant has no tunable parameters: register one variant for each "
                  "value, so that the error of each is known.");
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
    if (into.names.families.empty()) return;  // it does not fit, and a static_assert says so
    (take_version(into.names.families.back().version, options), ...);
    into.names.families.back().is_approximate = is_approximate;
  }

  template <typename Variant>
  void add_object(std::string_view name, Variant* variant) {
    if constexpr (is_variant<Variant>()) {
      into.add_variant(name, call::template referring<adapter>(variant),
                       returns_number<Variant, Args...>, identity(variant));
    }
  }

  // ---- Features -------------------------------------------------------------------------------

  template <typename Feature>
  void add_feature(std::string_view name, Feature&& feature) {
    if constexpr (check_feature<std::decay_t<Feature>, Args...>()) {
      into.add_feature(name, erased_feature<Args...>::template owning<call_feature<Args...>>(
                                 std::forward<Feature>(feature)));
    }
  }
  template <typename Feature>
  void add_feature_object(std::string_view name, Feature* feature) {
    if constexpr (check_feature<Feature, Args...>()) {
      into.add_feature(name,
                       erased_feature<Args...>::template referring<call_feature<Args...>>(feature));
    }
  }

  // ---- Constraints of a registered variant ----------------------------------------------------

  template <typename Constraint>
  void add_constraint(std::size_t variant, Constraint&& constraint) {
    if constexpr (check_constraint<std::decay_t<Constraint>, Args...>()) {
      using asked = call_constraint<Args...>;
      into.add_constraint(variant, erased_constraint<Args...>::template owning<asked>(constraint));
    }
  }
  template <typename Constraint>
  void add_constraint_object(std::size_t variant, Constraint* constraint) {
    if constexpr (check_constraint<Constraint, Args...>()) {
      using asked = call_constraint<Args...>;
      into.add_constraint(variant,
                          erased_constraint<Args...>::template referring<asked>(constraint));
    }
  }

 private:
  using adapter = call_variant<result, Args...>;
  using call = erased_variant<result, Args...>;

  template <typename Callable>
  [[nodiscard]] static consteval bool is_variant() {
    if constexpr (check_variant<Shape, Callable, Args...>()) {
      return check_metric<NeedsMetric, returns_number<Callable, Args...>>();
    } else {
      return false;
    }
  }
};

}  // namespace fettle::detail
