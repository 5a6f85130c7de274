// Which calls set a device's clock: FETTLE_FREQUENCY, the context's word, the policy's; and the
// variants at clocks that a function is measured at. Models that choose a clock, too, are in a
// folder `frequency` beside model.txt.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Whether calls of a function are to set clocks. Throws fettle::error where FETTLE_FREQUENCY is
/// neither 0 nor 1.
bool wants_clocks(const policy_settings& settings, const context& shared);

/// Whether the function has clocks that can be set; where not, the context is warned once, with the
/// reason.
bool has_clocks(const registry& function, context& shared);

/// The folder of the model that chooses clocks, in a directory of a function's model; empty where
/// there is none.
std::string frequency_directory(const std::string& directory);

/// Adds each variant at each clock, for training.
void add_clocked_variants(registry& function, const std::vector<unsigned>& clocks);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/frequency.ipp>
#endif
