// Which of several trained objectives a function goes by: FETTLE_OBJECTIVE, the context's, the
// policy's. The models of named objectives are in folders objective-NAME beside model.txt.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The objective that is asked for; empty: the first one.
std::string wanted_objective(const policy_settings& settings, const context& shared);

/// The objectives that have models in a function's directory, sorted; none where it was trained for
/// one that has no name.
std::vector<std::string> trained_objectives(const std::string& directory);

/// The directory of the model of `objective`: `directory` itself where none is asked for, or where
/// the function has no named objectives. Throws fettle::error, with the names, for one that it was
/// not trained for.
std::string objective_directory(const std::string& directory, const std::string& objective);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/objectives.ipp>
#endif
