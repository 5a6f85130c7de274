// predictor: a trained model's answer to "which variant for these feature values?", whatever kind
// of classifier it is.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/model/predictor_kind.hpp>
#include <fettle/model/predictor_kinds.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// What a decision reads first: to be prefetched by a caller that has something else to do before.
struct decision_lines {
  const void* own = nullptr;     ///< one line of the predictor
  const void* tables = nullptr;  ///< lines_ahead lines of its tables
};

namespace detail {

template <typename List>
struct variant_of;
template <predictor_kind... Kinds>
struct variant_of<type_list<Kinds...>> {
  using type = std::variant<Kinds...>;
};

/// std::visit() asks first whether the variant is valueless, which takes time on every selection.
/// Inlined, or else the function's arguments would go through memory.
template <std::size_t Index = 0, typename Variant, typename Function>
[[nodiscard]] [[gnu::always_inline]] inline auto visit_kind(const Variant& any,
                                                            const Function& function) noexcept {
  const auto* const kind = std::get_if<Index>(&any);
  if constexpr (Index + 1 < std::variant_size_v<Variant>) {
    if (kind == nullptr) return visit_kind<Index + 1>(any, function);
  }
  return function(*kind);
}

}  // namespace detail

/// A value: copies share the tables, which are immutable. Reading is thread-safe.
class alignas(fettle::detail::cache_line) predictor {
 public:
  /// A predictor of one of the kinds, which decides among so many variants.
  template <predictor_kind Kind>
    requires contains_v<predictor_kinds, Kind>
  predictor(Kind kind, std::size_t variants) noexcept
      : kind_(std::move(kind)), variants_(variants) {}

  [[nodiscard]] std::size_t variants() const noexcept { return variants_; }

  /// The variant for an input. `features` holds the values of all features in the model's order;
  /// those that no model input names are not read. `scores` is empty, or receives a number for each
  /// variant: larger is better, the chosen variant's is the largest. Allocates nothing, throws
  /// nothing, thread-safe.
  [[nodiscard]] decision decide(std::span<const double> features,
                                std::span<double> scores = {}) const noexcept {
    assert(scores.empty() || scores.size() == variants_);
    return detail::visit_kind(kind_,
                              [&](const auto& kind) { return kind.decide(features, scores); });
  }

  /// Stays valid as long as this object.
  [[nodiscard]] decision_lines first_lines() const noexcept {
    return {this, detail::visit_kind(kind_, [](const auto& kind) { return kind.first_lines(); })};
  }

 private:
  detail::variant_of<predictor_kinds>::type kind_;
  std::size_t variants_;
};

static_assert(sizeof(predictor) == fettle::detail::cache_line,
              "a kind of predictor is too large: its tag has to be in the predictor's first line");

namespace detail {

/// A classifier, as model.txt names it.
struct known_classifier {
  std::string_view name;
  std::string_view file_ending;
  predictor (*read)(const predictor_source& source);
};

template <typename... Kinds>
[[nodiscard]] consteval auto all_classifiers(type_list<Kinds...> /*list*/) {
  std::array<known_classifier, (Kinds::classifiers.size() + ...)> all{};
  std::size_t next = 0;
  const auto add = [&]<typename Kind>(type_tag<Kind>) {
    for (const std::string_view name : Kind::classifiers) {
      all[next++] = {name, Kind::file_ending, [](const predictor_source& source) {
                       return predictor(Kind::read(source), source.variants);
                     }};
    }
  };
  (add(type_tag<Kinds>{}), ...);
  return all;
}

inline constexpr auto classifiers = all_classifiers(predictor_kinds{});

/// Null where no kind of predictor has that name.
[[nodiscard]] inline const known_classifier* find_classifier(std::string_view name) noexcept {
  for (const known_classifier& one : classifiers) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// "tree, forest and svm".
[[nodiscard]] inline std::string classifier_names() {
  std::string names;
  for (const known_classifier& one : classifiers) {
    if (!names.empty()) names += &one == &classifiers.back() ? " and " : ", ";
    names += one.name;
  }
  return names;
}

}  // namespace detail

}  // namespace fettle::model
