// What every call of a tuned function reads, in adjacent cache lines: the features to evaluate,
// which variant each class of the model is, and how to call it. A program that calls a tuned
// function now and then finds none of it in the caches, and the fewer steps there are from one line
// to the next, the less it waits. Made at the first call, then never changed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The block's beginning, one line; then come the features, the variants of the model's classes
/// and, each with a line to itself, the variants. `deployed` has the rest.
template <typename Result, typename... Args>
class alignas(cache_line) call_plan {
 public:
  using tables = variant_tables<Result, Args...>;
  using features = std::vector<erased_feature<Args...>>;
  using constraints = std::vector<erased_constraint<Args...>>;

  /// A feature to evaluate, and its place in the model's list.
  struct feature {
    typename erased_feature<Args...>::function code;
    void* object;
    std::size_t position;

    double operator()(observed<Args>... args) const { return code(object, args...); }
  };

  struct alignas(cache_line) variant {
    typename erased_variant<Result, Args...>::function code;
    void* object;
    const constraints* conditions;  ///< null where there are none
    std::string_view name;
    small_copy copy;  ///< what `object` points at, where it may be copied

    Result operator()(Args&&... args) const { return code(object, std::forward<Args>(args)...); }
  };

  /// For a function that is registered in `names` and `callables`, whose points are made.
  /// `deployed` and what it points at have to outlive the plan, as have the tables.
  static std::shared_ptr<const call_plan> make(const deployment& deployed, const registry& names,
                                               const tables& callables, const features& described,
                                               bool searches) {
    const std::size_t classes = deployed.variant_of_class.size();
    // Points that could not be made have names, but no callables, and no model.
    const std::size_t variants = callables.variants.size();
    const std::size_t front = sizeof(call_plan) + deployed.features.size() * sizeof(feature) +
                              classes * sizeof(std::uint16_t);
    const std::size_t front_lines = whole_lines(front);
    const std::size_t lines = front_lines + variants * (sizeof(variant) / cache_line);
    std::shared_ptr<std::byte> block = make_lines(std::max(lines, 1 + lines_ahead));
    auto* const plan = new (block.get()) call_plan(deployed);
    plan->searches_ = searches;
    plan->default_variant_ = static_cast<std::uint16_t>(names.default_index);

    auto* const features_begin = reinterpret_cast<feature*>(plan + 1);
    for (std::size_t i = 0; i < deployed.features.size(); ++i) {
      const used_feature& used = deployed.features[i];
      const erased_feature<Args...>& call = described[used.registered];
      new (features_begin + i) feature{call.code(), call.object(), used.position};
    }
    plan->features_ = features_begin;
    auto* const classes_begin =
        reinterpret_cast<std::uint16_t*>(features_begin + deployed.features.size());
    for (std::size_t c = 0; c < classes; ++c) {
      classes_begin[c] = static_cast<std::uint16_t>(deployed.variant_of_class[c]);
    }
    plan->variant_of_class_ = classes_begin;
    auto* const variants_begin = reinterpret_cast<variant*>(block.get() + front_lines * cache_line);
    for (std::size_t k = 0; k < variants; ++k) {
      const erased_variant<Result, Args...>& call = callables.variants[k];
      const constraints& conditions = callables.constraints[k];
      auto* const made = new (variants_begin + k)
          variant{call.code(), call.object(), conditions.empty() ? nullptr : &conditions,
                  names.variants[k], call.copy()};
      if (call.is_copied()) made->object = &made->copy;
    }
    plan->variants_ = variants_begin;
    return {std::move(block), plan};
  }

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

  explicit call_plan(const deployment& deployed) noexcept
      : deployed_(&deployed),
        in_training_(deployed.training != nullptr),
        traced_(deployed.trace != nullptr),
        refined_(!deployed.refined.empty()) {
    if (deployed.model == nullptr) return;
    model_ = deployed.model->predictor.first_lines();
    feature_count_ = static_cast<std::uint8_t>(deployed.features.size());
    value_count_ = static_cast<std::uint8_t>(deployed.model->features.size());
  }

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
};

}  // namespace fettle::detail
