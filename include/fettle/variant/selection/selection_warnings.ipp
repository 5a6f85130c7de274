// Definitions of selection_warnings.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/selection_warnings.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void warn_of(const registry& function, context& shared,
                                         const std::string& message) {
  shared.warn_once(std::string(function.settings.name) + ": " + message);
}

[[gnu::cold]] FETTLE_INLINE void note_failed_feature(const registry& function, context& shared,
                                                     const call_plan& plan, std::size_t i,
                                                     std::size_t end, evidence& known) {
  std::atomic_ref<bool>(known.feature_failed).store(true, std::memory_order_relaxed);
  for (std::size_t k = i; k < end; ++k) {
    known.values[plan.feature_at(k).position] = std::numeric_limits<double>::quiet_NaN();
  }
  const std::string& name = function.features[plan.deployed().features[i].registered];
  try {
    throw;
  } catch (const std::exception& problem) {
    warn_of(function, shared,
            "feature " + name + " threw: " + problem.what() + "; the default variant runs");
  } catch (...) {
    warn_of(function, shared, "feature " + name + " threw; the default variant runs");
  }
}

[[gnu::cold]] FETTLE_INLINE void warn_of_constraint(const registry& function, context& shared,
                                                    std::size_t k) {
  try {
    throw;
  } catch (const std::exception& problem) {
    warn_of(function, shared,
            "a constraint of " + function.variants[k] + " threw: " + problem.what());
  } catch (...) {
    warn_of(function, shared, "a constraint of " + function.variants[k] + " threw");
  }
}

}  // namespace fettle::detail
