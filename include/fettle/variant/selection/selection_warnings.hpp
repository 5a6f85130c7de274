// What is said, once each, of features and constraints that throw while a variant is selected.
// Both functions are called in a catch block.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/evidence.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The model's feature i threw, so that those from i up to `end` have no value: not a number.
/// Features may fail in several tasks at once; each only ever writes true, and its own value.
void note_failed_feature(const registry& function, context& shared, const call_plan& plan,
                         std::size_t i, std::size_t end, evidence& known);
/// A constraint of variant k threw.
void warn_of_constraint(const registry& function, context& shared, std::size_t k);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/selection_warnings.ipp>
#endif
