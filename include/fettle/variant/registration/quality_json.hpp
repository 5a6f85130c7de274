// What the training log's header says of approximate variants (docs/formats.md, section 2).
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/registry.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// {"approximate":["perforated"],"bound":0.05}, without a bound where set_quality was not called;
/// empty where no variant is approximate.
std::string quality_json(const registry& function);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/quality_json.ipp>
#endif
