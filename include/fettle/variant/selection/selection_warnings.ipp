// Definitions of selection_warnings.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
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
                                                     evidence& known) {
  std::atomic_ref<bool>(known.feature_failed).store(true, std::memory_order_relaxed);
  try {
    throw;
  } catch (const std::exception& problem) {
    warn_of(function, shared,
            std::string("a feature threw: ") + problem.what() + "; the default variant runs");
  } catch (...) {
    warn_of(function, shared, "a feature threw; the default variant runs");
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
