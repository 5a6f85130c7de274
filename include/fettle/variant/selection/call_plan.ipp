// Definitions of call_plan.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/predictor.hpp>
#include <fettle/variant/call/erased_call.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const call_plan> call_plan::make(
    const deployment& deployed, const registry& names, const variant_tables& callables,
    const std::vector<any_call>& described, bool searches) {
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
    new (features_begin + i) feature{described[used.registered].target(), used.position};
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
    const any_call& call = callables.variants[k];
    const std::vector<any_call>& conditions = callables.constraints[k];
    auto* const made = new (variants_begin + k) variant{
        call.target(), conditions.empty() ? nullptr : &conditions, names.variants[k], call.copy()};
    if (call.is_copied()) made->object = &made->copy;
  }
  plan->variants_ = variants_begin;
  return {std::move(block), plan};
}

[[gnu::cold]] FETTLE_INLINE call_plan::call_plan(const deployment& deployed) noexcept
    : deployed_(&deployed),
      in_training_(deployed.training != nullptr),
      traced_(deployed.trace != nullptr),
      refined_(!deployed.refined.empty()),
      gated_(deployed.gate != nullptr) {
  if (deployed.model == nullptr) return;
  model_ = deployed.model->predictor.first_lines();
  feature_count_ = static_cast<std::uint8_t>(deployed.features.size());
  value_count_ = static_cast<std::uint8_t>(deployed.model->features.size());
}

}  // namespace fettle::detail
