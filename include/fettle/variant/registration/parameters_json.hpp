// What a training log's header says of variants with parameters or a version (docs/formats.md,
// section 2).
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// {"tiled":{"values":{"tile":[16,32]},"defaults":{"tile":16},"constraints":["tile > 8"]}}; empty
/// where no variant has parameters.
std::string parameters_json(const registry& function);

/// {"tiled":"2"}; empty where no variant has a version.
std::string versions_json(const registry& function);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/parameters_json.ipp>
#endif
