// What a tuned function has registered, by name: variants, features, the default. The function's
// own tables of callables run parallel to these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/variant/object_name.hpp>
#include <fettle/variant/policy.hpp>

namespace fettle::detail {

inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "none" : text;
}

/// Every member that takes something to register throws fettle::error, naming the function, the
/// thing and the remedy, where it is not acceptable.
struct registry {
  policy_settings settings;
  std::vector<std::string> variants;
  std::vector<std::string> features;
  std::vector<const void*> objects;  ///< of variants given by pointer; null for others
  std::size_t default_index = 0;

  [[noreturn]] void complain(const std::string& what) const {
    throw error(std::string(settings.name) + ": " + what);
  }

  void add_variant(std::string name, const void* object) {
    check_name("variant", name, variants, model::maximum_classes);
    variants.push_back(std::move(name));
    objects.push_back(object);
  }

  void add_feature(std::string name) {
    check_name("feature", name, features, maximum_features);
    features.push_back(std::move(name));
  }

  std::size_t find_variant(std::string_view name, std::string_view what) const {
    const auto found = std::find(variants.begin(), variants.end(), name);
    if (found != variants.end()) return static_cast<std::size_t>(found - variants.begin());
    complain(std::string(what) + " names " + std::string(name) +
             ", which is none of the variants " + joined(variants) + "; add_variant it first");
  }

  std::size_t find_variant(const void* object, std::string_view what) const {
    const auto found = std::find(objects.begin(), objects.end(), object);
    if (found != objects.end()) return static_cast<std::size_t>(found - objects.begin());
    complain(std::string(what) +
             " is given an object that is none of the variants; add_variant it first");
  }

  /// At the first call: are the variants those that the tuning script states?
  void check_complete() const {
    if (variants.empty()) complain("no variants; call add_variant first");
    if (settings.variant_count == 0 || settings.variant_count == variants.size()) return;
    complain("the tuning script states " + number_text(settings.variant_count) +
             " variants, the program has " + number_text(variants.size()) + ": " +
             joined(variants));
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
