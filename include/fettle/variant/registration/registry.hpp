// What a tuned function has registered, by name: variants, features, the default. The function's
// own tables of callables run parallel to these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/call/object_name.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "none" : text;
}

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

  /// A registered variant: the name that it was given, its parameters' values and its version, if
  /// it has any.
  struct family {
    std::string name;
    parameter_space space;
    std::string version;
  };
  std::vector<family> families;
  /// A variant at values of its parameters.
  struct point {
    std::size_t family;
    parameter_values values;
  };
  std::vector<point> points;  ///< of variants[families.size()] and following

  [[noreturn]] void complain(const std::string& what) const {
    throw error(std::string(settings.name) + ": " + what);
  }

  void add_variant(std::string name, const void* object, parameter_space space = {}) {
    check_name("variant", name, variants, model::maximum_classes);
    for (const family& other : families) {
      if (other.name == name) complain("two variants named " + name);
    }
    const std::string values = space.text_of(space.defaults());
    variants.push_back(values.empty() ? name : name + " " + values);
    families.push_back({std::move(name), std::move(space), {}});
    objects.push_back(object);
  }

  /// A variant's parameters. Throws fettle::error where they do not fit together.
  template <typename... Entries>
  parameter_space space_of(std::string_view name, const Entries&... entries) const {
    try {
      return parameter_space(entries...);
    } catch (const error& problem) {
      complain(std::string(name) + ": " + problem.what());
    }
  }

  /// The point that a text like "tiled tile=16" names; nothing where it names none that is valid.
  std::optional<point> parse_point(std::string_view text) const {
    for (std::size_t k = 0; k < families.size(); ++k) {
      const family& one = families[k];
      if (one.space.empty() || !text.starts_with(one.name + " ")) continue;
      if (auto values = one.space.parse(text.substr(one.name.size() + 1))) {
        return point{k, *std::move(values)};
      }
    }
    return std::nullopt;
  }

  /// The index of a variant by its name, or of a point of one, which is added where it is new;
  /// nothing where the text names neither.
  std::optional<std::size_t> find_or_add_point(std::string_view text) {
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

  /// The registered variant that an index of `variants` belongs to.
  std::size_t family_of(std::size_t variant) const {
    return variant < families.size() ? variant : points[variant - families.size()].family;
  }

  void add_feature(std::string name) {
    check_name("feature", name, features, maximum_features);
    features.push_back(std::move(name));
  }

  std::size_t find_variant(std::string_view name, std::string_view what) const {
    for (std::size_t k = 0; k < families.size(); ++k) {
      if (families[k].name == name) return k;
    }
    complain(std::string(what) + " names " + std::string(name) +
             ", which is none of the variants " + joined(names()) + "; add_variant it first");
  }

  std::size_t find_variant(const void* object, std::string_view what) const {
    const auto found = std::find(objects.begin(), objects.end(), object);
    if (found != objects.end()) return static_cast<std::size_t>(found - objects.begin());
    complain(std::string(what) +
             " is given an object that is none of the variants; add_variant it first");
  }

  /// At the first call: are the variants those that the tuning script states?
  void check_complete() const {
    if (families.empty()) complain("no variants; call add_variant first");
    if (settings.variant_count == 0 || settings.variant_count == families.size()) return;
    complain("the tuning script states " + number_text(settings.variant_count) +
             " variants, the program has " + number_text(families.size()) + ": " + joined(names()));
  }

  /// The registered variants' names, as they were given.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const family& one : families) all.push_back(one.name);
    return all;
  }

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
                  const std::vector<std::string>& taken, std::size_t most) const {
    if (name.empty()) complain("a " + std::string(what) + " with an empty name");
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      complain("two " + std::string(what) + "s named " + name);
    }
    if (taken.size() == most) {
      complain("more than " + number_text(most) + " " + std::string(what) + "s");
    }
  }
};

}  // namespace fettle::detail
