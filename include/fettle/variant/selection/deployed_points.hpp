// Matches what a model chooses among with what the program has registered: variants, and points of
// variants with parameters, which are registered here when a model names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Appends "tile=16,32" to a text.
void append_described(std::string& text, const std::string& name,
                      const std::vector<std::int64_t>& values);

/// "tile=16,32 unroll=1,2".
std::string described(const parameter_space& space);

std::string described(const model::described_parameters& known);

/// Throws fettle::error where a variant had other parameters when the model was trained.
void check_parameters(const model::loaded_model& model, const registry& function);

/// Of which of a function's variants a model has classes. Of some only where it was narrowed for a
/// program that is compiled afterwards, and is tried out in one that has them all.
enum class chosen_among { all_variants, some_variants };

/// The variants of a model's classes, points among them. Throws fettle::error where they are not of
/// just those variants that the function has.
std::vector<std::size_t> match_variants(const std::vector<std::string>& classes, registry& function,
                                        chosen_among which = chosen_among::all_variants);

/// The variants of the classes of a model that refines a variant.
std::vector<std::size_t> match_points(const model::loaded_model& refining, std::size_t variant,
                                      registry& function);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/deployed_points.ipp>
#endif
