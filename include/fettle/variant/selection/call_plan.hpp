// What every call of a tuned function reads, in adjacent cache lines: the features to evaluate,
// which variant each class of the model is, and how to call it. A program that calls a tuned
// function now and then finds none of it in the caches, and the fewer steps there are from one line
// to the next, the less it waits. Made at the first call, then never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The block's beginning, one line; then come the features, the variants of the model's classes
/// and, each with a line to itself, the variants. `deployed` has the rest.
class alignas(cache_line) call_plan {
 public:
  /// A feature to evaluate, and its index in the model's list.
  struct feature : erased_code {
    std::size_t position;
  };

  struct alignas(cache_line) variant : erased_code {
    const std::vector<any_call>* conditions;  ///< null where there are none
    std::string_view name;
    small_copy copy;  ///< what `object` points at, where it may be copied
  };

  /// For a function that is registered in `names` and `callables`, whose points are made.
  /// `deployed` and what it points at have to outlive the plan, as have the tables.
  static std::shared_ptr<const call_plan> make(const deployment& deployed, const registry& names,
                                               const variant_tables& callables,
                                               const std::vector<any_call>& described,
                                               bool searches);

  /// Asks for all that a call will read, as far as that is known before its features are.
  void prefetch() const noexcept {
    prefetch_lines<lines_ahead>(this + 1);
    fettle::detail::prefetch(model_.own);
    prefetch_lines<model::lines_ahead>(model_.tables);
  }

  [[nodiscard]] const deployment& deployed() const noexcept { return *deployed_; }
  [[nodiscard]] const model::predictor& predictor() const noexcept {
    return *static_cast<const model::predictor*>(model_.own);
  }
  [[nodiscard]] bool has_model() const noexcept { return model_.own != nullptr; }
  [[nodiscard]] bool is_in_training() const noexcept { return in_training_; }
  [[nodiscard]] bool is_traced() const noexcept { return traced_; }
  [[nodiscard]] bool is_refined() const noexcept { return refined_; }
  [[nodiscard]] bool searches_online() const noexcept { return searches_; }
  /// Some variants are approximate: what the model chooses has to be admitted, and checked.
  [[nodiscard]] bool is_gated() const noexcept { return gated_; }

  [[nodiscard]] std::size_t feature_count() const noexcept { return feature_count_; }
  [[nodiscard]] const feature& feature_at(std::size_t i) const noexcept { return features_[i]; }
  /// How many values the model's list of features has.
  [[nodiscard]] std::size_t value_count() const noexcept { return value_count_; }
  [[nodiscard]] std::size_t variant_of_class(std::size_t c) const noexcept {
    return variant_of_class_[c];
  }
  [[nodiscard]] const variant& variant_at(std::size_t k) const noexcept { return variants_[k]; }
  [[nodiscard]] std::size_t default_variant() const noexcept { return default_variant_; }

 private:
  // Two features, the classes and the first two or three variants.
  static constexpr std::size_t lines_ahead = 4;

  explicit call_plan(const deployment& deployed) noexcept;

  const deployment* deployed_;
  model::decision_lines model_;  // null without a model
  const feature* features_ = nullptr;
  const std::uint16_t* variant_of_class_ = nullptr;
  const variant* variants_ = nullptr;
  std::uint16_t default_variant_ = 0;
  std::uint8_t feature_count_ = 0;  // at most maximum_features
  std::uint8_t value_count_ = 0;
  bool in_training_;
  bool traced_;
  bool refined_;
  bool searches_ = false;
  bool gated_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/call_plan.ipp>
#endif
