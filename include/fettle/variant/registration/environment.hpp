// What a user may ask of a running program through its environment: FETTLE_MODEL_DIR, FETTLE_FORCE,
// FETTLE_TRACE. The training request has a header of its own (training_request.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// An environment variable; unset and empty are the same.
std::string environment(const char* name);

std::string_view without_blanks_around(std::string_view text);

/// The variant that FETTLE_FORCE names for a function. The variable is a comma-separated list of
/// function=variant, as in FETTLE_FORCE=spmv=csr_vector,sort=radix. Throws fettle::error where an
/// entry of the list, of whichever function, is none: forcing nothing would go unnoticed.
std::optional<std::string> forced_variant(std::string_view function);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/environment.ipp>
#endif
