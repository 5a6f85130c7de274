// What a tuned function has registered, by name: variants, features, the default. The function's
// own tables of callables run parallel to these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>
#include <fettle/variant/registration/clock_control.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

std::string joined(const std::vector<std::string>& names);

/// Every member that takes something to register throws fettle::error, naming the function, the
/// thing and the remedy, where it is not acceptable.
struct registry {
  policy_settings settings;
  /// The registered variants, then the points that models and users chose of them. A variant with
  /// parameters is there under the name of the point at its defaults, "tiled tile=16".
  std::vector<std::string> variants;
  std::vector<std::string> features;
  std::vector<const void*> objects;  ///< of variants given by pointer; null for others
  std::size_t default_index = 0;
  const clock_functions* clock_control = nullptr;  ///< the policy's; null where it has none
  bool has_set_default = false;  ///< the user named it; else it is the first exact variant
  /// The largest error that the results of approximate variants may have; nothing where set_quality
  /// was not called, so that none of them runs.
  std::optional<double> bound;

  /// A registered variant: the name that it was given, its parameters' values and its version, if
  /// it has any.
  struct family {
    std::string name;
    parameter_space space;
    std::string version;
    bool is_approximate = false;
  };
  std::vector<family> families;
  /// A variant at values of its parameters, or at a clock.
  struct point {
    std::size_t family;
    parameter_values values;
    unsigned clock_mhz = 0;  ///< 0: as it is set
  };
  std::vector<point> points;  ///< of variants[families.size()] and following

  [[noreturn]] void complain(const std::string& what) const {
    throw error(std::string(settings.name) + ": " + what);
  }

  void add_variant(std::string name, const void* object, parameter_space space = {});

  /// A variant's parameters. Throws fettle::error where they do not fit together.
  template <typename... Entries>
  parameter_space space_of(std::string_view name, const Entries&... entries) const {
    try {
      return parameter_space(entries...);
    } catch (const error& problem) {
      complain(std::string(name) + ": " + problem.what());
    }
  }

  /// The point that a text like "tiled tile=16" or "radix@745MHz" names; nothing where it names
  /// none that is valid.
  std::optional<point> parse_point(std::string_view text) const;

  /// How points of the variant are written that a text that names none begins with; empty where it
  /// begins with no variant with parameters.
  std::string how_points_are_written(std::string_view text) const;

  /// The index of a variant by its name, or of a point of one, which is added where it is new;
  /// nothing where the text names neither.
  std::optional<std::size_t> find_or_add_point(std::string_view text);

  /// The registered variant that an index of `variants` belongs to.
  std::size_t family_of(std::size_t variant) const {
    return variant < families.size() ? variant : points[variant - families.size()].family;
  }

  bool is_approximate(std::size_t variant) const {
    return families[family_of(variant)].is_approximate;
  }
  bool has_approximate() const {
    return std::any_of(families.begin(), families.end(),
                       [](const family& one) { return one.is_approximate; });
  }

  /// `is_comparable`: whether two outputs can be compared bit by bit, which a bound of 0 needs.
  void set_bound(double largest, bool is_comparable);

  void add_feature(std::string name);

  std::size_t find_variant(std::string_view name, std::string_view what) const;

  std::size_t find_variant(const void* object, std::string_view what) const;

  /// At the first call: are the variants those that the tuning script states, and is one of them
  /// exact? That is the default, where the user named none.
  void check_complete();

  /// The registered variants' names, as they were given.
  std::vector<std::string> names() const;

  /// A name for an object: its short class name, or the full one where the short one is taken, or
  /// that with a number.
  template <typename Object>
  static std::string name_of(const Object& object, const std::vector<std::string>& taken) {
    const std::string full = full_class_name(object);
    const auto is_free = [&](const std::string& name) {
      return std::find(taken.begin(), taken.end(), name) == taken.end();
    };
    if (std::string name = short_class_name(full); is_free(name)) return name;
    std::string name = full;
    for (int number = 2; !is_free(name); ++number) name = full + "_" + number_text(number);
    return name;
  }

 private:
  void check_name(std::string_view what, const std::string& name,
                  const std::vector<std::string>& taken, std::size_t most) const;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/registry.ipp>
#endif
